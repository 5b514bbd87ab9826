// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.lifecycle.ObservedEntries.Retry;
import io.github.kueue4j.core.lifecycle.ObservedEntries.Wait;
import java.time.Instant;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ObservedEntriesTest {
  @Test
  void keepsCopiesOfEmptyMapsToo() {
    SortedMap<String, Retry> retries = new TreeMap<>();
    SortedMap<String, Wait> waits = new TreeMap<>();
    SortedMap<String, Set<Retry>> unconfirmed = new TreeMap<>();
    ObservedEntries observed = new ObservedEntries(true, retries, waits, unconfirmed);

    Retry retry = new Retry(Instant.EPOCH, Instant.EPOCH);
    retries.put("budget", retry);
    waits.put("budget", new Wait(Instant.EPOCH, Instant.EPOCH));
    unconfirmed.put("budget", Set.of(retry));

    assertThat(observed).isEqualTo(ObservedEntries.none());
  }
}
