// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Ten minutes of the soak, or {@code -Dkueue4j.soak.seconds}: the memory of the whole process
 * (server, core, checks and simulated world) stays flat while Jobs come and go.
 */
@Tag("nightly")
@Isolated("measures the heap")
class ChecksSoakMemoryTest {
  private static final Duration TROUBLE =
      Duration.ofSeconds(Integer.getInteger("kueue4j.soak.seconds", 600));

  /** 150 Jobs a minute: a leak of 20 KiB for each would be seen. */
  private static final double MOST_MEBIBYTES_A_MINUTE = 3;

  @Test
  void nothingIsStuckOrLeakedAndMemoryStaysFlat(@TempDir Path folder) throws Exception {
    HeapSamples heap = new HeapSamples(TROUBLE);

    new ChecksSoak(TROUBLE, Duration.ofMinutes(20), heap::sampleWhenDue).run(folder);

    System.out.println("soak: " + heap);
    assertThat(heap.mebibytesAMinute()).as("%s", heap).isLessThan(MOST_MEBIBYTES_A_MINUTE);
  }
}
