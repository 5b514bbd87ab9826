// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import java.time.Duration;
import java.util.stream.LongStream;
import org.apiguardian.api.API;

/** The buckets of histograms of latencies. */
@API(status = API.Status.INTERNAL)
public final class Latencies {

  private static final Duration[] BUCKETS =
      LongStream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private Latencies() {}

  /** Some of those of Go's controller-runtime, from 5 ms to a minute. */
  public static Duration[] buckets() {
    return BUCKETS.clone();
  }
}
