// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParseException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class JsonWordsTest {
  @Test
  void theyNameNoClassAndAreOneLine() {
    assertThat(
            JsonWords.of(
                new JsonParseException(
                    "java.lang.IllegalStateException: Expected a string at line 1 column 2 path"
                        + " $.spec\nSee the manual")))
        .isEqualTo("Expected a string at spec");
  }

  /** A user's text must not end the core by its length. */
  @ParameterizedTest
  @ValueSource(strings = {"a.", "a", " at path $."})
  void theyAreShortWhateverAUserWrote(String part) {
    String text = part.repeat(100_000 / part.length());

    assertThat(JsonWords.of(new JsonParseException("Not a number: " + text)))
        .startsWith("Not a number: ")
        .hasSizeLessThanOrEqualTo(200);
  }
}
