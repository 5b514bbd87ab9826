// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The mistakes that {@link MutationTest} makes, whether or not it makes them in this build. */
class MutationsTest {
  @Test
  void eachFitsTheCode() throws IOException {
    List<String> stale = new ArrayList<>();
    for (Mutation mutation : Mutations.all()) {
      try {
        mutation.in(Files.readString(Checkout.root().resolve(mutation.source())));
      } catch (IllegalStateException e) {
        stale.add(e.getMessage());
      }
    }
    assertThat(stale).isEmpty();
  }
}
