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
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.job.Keys;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The annotation {@code kueue.x-k8s.io/admission-gated-by}: a comma-separated list of those who
 * want a Workload to stay out of its queue until they have taken their name off it.
 */
@API(status = API.Status.INTERNAL)
public final class AdmissionGates {
  /** The annotation, of Jobs and Workloads. */
  public static final String ANNOTATION = Keys.ADMISSION_GATED_BY;

  /** Reason of QuotaReserved=False. */
  public static final String REASON = "AdmissionGated";

  /** What QuotaReserved=False says when the last one is gone. */
  public static final String CLEARED = "AdmissionGatedBy cleared, waiting for quota reservation";

  private AdmissionGates() {}

  /** Who holds a Workload back, as written; empty if nobody does. */
  public static Optional<String> of(Workload workload) {
    return Optional.ofNullable(
            Objects.requireNonNullElse(
                    workload.metadata().getAnnotations(), Map.<String, String>of())
                .get(ANNOTATION))
        .filter(gates -> !gates.isBlank());
  }
}
