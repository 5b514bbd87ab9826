// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.sdk.Backoff;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * How the GPU check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param resources the resources that count as GPUs; workloads that ask for none are let through
 * @param backoff how long a workload without GPUs waits
 * @param wakeInBackoff whether the delay of a workload ends early when enough GPUs become free of
 *     the flavors that it had reserved; otherwise it waits as long as its message says, as do
 *     workloads that were sent back before the controller started
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record GpuOptions(
    String controllerName, List<String> resources, Backoff backoff, boolean wakeInBackoff) {

  /** Keeps a copy of the resources. */
  public GpuOptions {
    resources = List.copyOf(resources);
  }

  /**
   * {@code kueue4j.io/gpu-availability}; NVIDIA's and AMD's resources; 30 s doubling up to 30 min;
   * no early end.
   */
  public static GpuOptions defaults() {
    return new GpuOptions(
        "kueue4j.io/gpu-availability",
        List.of("nvidia.com/gpu", "amd.com/gpu"),
        Backoff.exponential(Duration.ofSeconds(30), 2).atMost(Duration.ofMinutes(30)),
        false);
  }
}
