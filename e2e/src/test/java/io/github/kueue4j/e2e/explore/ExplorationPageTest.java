// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/lifecycle.md names the worlds of modes and stages, and the mistakes that show in them. */
class ExplorationPageTest {
  private static final Path PAGE = Checkout.root().resolve("docs/lifecycle.md");

  @Test
  void thePageNamesTheWorldsAndTheirMistakes() throws IOException {
    List<Rules> worlds = Worlds.all().stream().filter(Rules::changesChecks).toList();
    Stream<String> explored =
        worlds.stream().map(world -> world.name() + " | " + Mutations.in(world.name()).size());
    Stream<String> found =
        worlds.stream()
            .flatMap(world -> Mutations.in(world.name()).stream())
            .map(mutation -> mutation.mistake() + " | " + mutation.world());

    assertThat(rowsOf("## Modes and stages, explored"))
        .containsExactlyElementsOf(Stream.concat(explored, found).toList());
  }

  /** The first two cells of each row of the tables below a heading. */
  private static List<String> rowsOf(String heading) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.matches("\\| (?!(World|Mistake) ).*"))
        .map(line -> Arrays.copyOfRange(line.split(" ?\\| ?"), 1, 3))
        .map(cells -> String.join(" | ", cells))
        .toList();
  }
}
