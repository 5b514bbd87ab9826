// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import java.util.ArrayList;
import java.util.List;

/** What one story saw, for the last column of the {@link StoryTable}. */
final class Seen {
  private final List<String> facts = new ArrayList<>();

  /** Notes a fact, such as "the other was admitted 1 s after". */
  void note(String fact) {
    facts.add(fact);
  }

  @Override
  public String toString() {
    return String.join("; ", facts);
  }
}
