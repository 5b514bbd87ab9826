// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.BackendUnavailableException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read of a failure. */
class PlainWordsTest {
  private static final String SPEECHLESS = "it failed; the log of the check's controller says why";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://prom:9090 can't be reached: connection refused | http://prom:9090 can't be reached:"
            + " connection refused",
        "java.net.ConnectException: Connection refused | Connection refused",
        "PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: no"
            + " valid path | PKIX path building failed: no valid path",
        "class a.b.Foo cannot be cast to class a.b.Bar |" + SPEECHLESS,
        "IllegalStateException |" + SPEECHLESS,
        "the server said InternalError | the server said InternalError",
        "licences.example.com. Try again | licences.example.com. Try again"
      })
  void namesOfJavaClassesAreLeftOut(String said, String read) {
    assertThat(PlainWords.of(new BackendUnavailableException(said))).isEqualTo(read);
  }

  @Test
  void whatSaysNothingRefersToTheLog() {
    assertThat(PlainWords.of(new IllegalStateException())).isEqualTo(SPEECHLESS);
    assertThat(PlainWords.of(new ExecutionException(new StackOverflowError())))
        .isEqualTo(SPEECHLESS);
    assertThat(PlainWords.of(new NullPointerException("Cannot invoke \"x.y()\"")))
        .isEqualTo(SPEECHLESS);
    assertThat(PlainWords.of(new UncheckedIOException(new ConnectException("refused"))))
        .isEqualTo("refused");
  }

  @Test
  void whatIsLongIsCut() {
    assertThat(PlainWords.of(new IllegalStateException("x".repeat(1_000_000))))
        .isEqualTo("x".repeat(300) + " ...");
    assertThat(PlainWords.of(new IllegalStateException("x.".repeat(500_000)))).hasSize(304);
  }
}
