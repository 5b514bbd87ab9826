/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
 * @param wakeInBackoff whether a workload that waits is let through early when GPUs become free;
 *     otherwise it waits as long as its message says
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

  /** The same options with another controller name. */
  public GpuOptions withControllerName(String other) {
    return new GpuOptions(other, resources, backoff, wakeInBackoff);
  }

  /** The same options with another backoff. */
  public GpuOptions withBackoff(Backoff other) {
    return new GpuOptions(controllerName, resources, other, wakeInBackoff);
  }

  /** The same options, with or without an early end of the wait. */
  public GpuOptions withWakeInBackoff(boolean other) {
    return new GpuOptions(controllerName, resources, backoff, other);
  }
}
