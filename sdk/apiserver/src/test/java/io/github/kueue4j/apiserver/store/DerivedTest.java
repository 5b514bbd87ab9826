// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DerivedTest {

  private final ObjectStore store = new ObjectStore(10);
  private final KindStore roles = store.kind("roles");
  private final List<Integer> workedOut = new ArrayList<>();

  /** How many roles there are; {@code meanwhile} runs between the count and its return. */
  private Derived<Integer> count(Runnable meanwhile) {
    return new Derived<>(
        store,
        "roles"::equals,
        () -> {
          int size = roles.snapshot("").objects().size();
          workedOut.add(size);
          meanwhile.run();
          return size;
        });
  }

  private void add(KindStore kind, String name) {
    assertThat(store.insert(kind, new Key("", name), Trees.empty())).isPresent();
  }

  @Test
  void isWorkedOutOnceUntilAnObjectOfItsKindsChanges() {
    Derived<Integer> count = count(() -> {});
    assertThat(count.get()).isZero();
    add(store.kind("pods"), "a");
    assertThat(count.get()).isZero();
    assertThat(workedOut).containsExactly(0);

    add(roles, "a");
    assertThat(count.get()).isEqualTo(1);
    assertThat(workedOut).containsExactly(0, 1);
  }

  @Test
  void aChangeWhileItIsWorkedOutIsNotMissed() {
    Derived<Integer> count =
        count(
            () -> {
              if (workedOut.size() == 1) {
                add(roles, "meanwhile");
              }
            });
    assertThat(count.get()).isZero();
    assertThat(count.get()).isEqualTo(1);
  }

  @Test
  void aSlowThreadDoesNotPutBackWhatAnotherWorkedOutSince() {
    List<Derived<Integer>> itself = new ArrayList<>();
    Derived<Integer> count =
        count(
            () -> {
              if (workedOut.size() == 1) {
                add(roles, "meanwhile");
                assertThat(itself.getFirst().get()).isEqualTo(1);
              }
            });
    itself.add(count);
    assertThat(count.get()).isZero();
    assertThat(count.get()).isEqualTo(1);
  }
}
