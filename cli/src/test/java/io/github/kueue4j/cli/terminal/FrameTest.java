// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FrameTest {
  private final Frame frame =
      new Frame("title", List.of(numbered("a", 10), numbered("b", 2), numbered("c", 20)));

  @Test
  void hasAllLinesWithoutASize() {
    assertThat(frame.lines()).hasSize(36).startsWith("title", "", "a0").endsWith("c18", "c19");
  }

  @Test
  void cutsTheLongestSectionsFirst() {
    assertThat(frame.fit(36, 80)).isEqualTo(frame.lines());
    assertThat(frame.fit(30, 80)).hasSize(30).endsWith("c12", "... and 7 more").contains("a9");
    assertThat(frame.fit(16, 80))
        .containsExactly(
            "title",
            "",
            "a0",
            "a1",
            "a2",
            "a3",
            "... and 6 more",
            "",
            "b0",
            "b1",
            "",
            "c0",
            "c1",
            "c2",
            "c3",
            "... and 16 more");
  }

  @Test
  void neverHasMoreThanFits() {
    for (int height = 1; height < 40; height++) {
      assertThat(frame.fit(height, 80)).hasSizeLessThanOrEqualTo(height).startsWith("title");
    }
    assertThat(frame.fit(36, 4)).startsWith("tit…", "", "a0");
    assertThat(new Frame("alone", List.of()).fit(1, 80)).containsExactly("alone");
  }

  private static List<String> numbered(String name, int count) {
    return IntStream.range(0, count).mapToObj(number -> name + number).toList();
  }
}
