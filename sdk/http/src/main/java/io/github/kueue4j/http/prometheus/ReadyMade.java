// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import io.github.kueue4j.api.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Queries that stand as files {@code NAME.promql} in one folder beside this class.
 *
 * @param names in alphabetical order
 */
record ReadyMade(String folder, List<String> names) {
  /**
   * The text of a query.
   *
   * @throws IllegalArgumentException if there is none of this name; the message lists them
   */
  String text(String name) {
    if (!names.contains(name)) {
      Optional<String> nearest = NearestName.of(name, names);
      throw new IllegalArgumentException(
          "there is no ready-made query '"
              + name
              + "'"
              + nearest.map(meant -> "; '" + meant + "' is meant?").orElse("")
              + ": write one of "
              + String.join(", ", names));
    }
    String file = folder + "/" + name + ".promql";
    try (InputStream stream =
        Objects.requireNonNull(ReadyMade.class.getResourceAsStream(file), file)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the resource " + file, e);
    }
  }
}
