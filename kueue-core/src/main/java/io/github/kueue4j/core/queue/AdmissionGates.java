// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.jobs.Keys;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The annotation {@code kueue.x-k8s.io/admission-gated-by}: a comma-separated list of gates. The
 * Workload stays out of its queue until all of them are removed.
 */
@API(status = API.Status.INTERNAL)
public final class AdmissionGates {
  /** The annotation, of Jobs and Workloads. */
  public static final String ANNOTATION = Keys.ADMISSION_GATED_BY;

  /** Reason of QuotaReserved=False. */
  public static final String REASON = "AdmissionGated";

  /** Message of QuotaReserved=False once the last gate is removed. */
  public static final String CLEARED = "AdmissionGatedBy cleared, waiting for quota reservation";

  private AdmissionGates() {}

  /** The gates of a Workload as written; empty if there are none. */
  public static Optional<String> of(Workload workload) {
    return Optional.ofNullable(Metadata.annotations(workload).get(ANNOTATION))
        .filter(gates -> !gates.isBlank());
  }
}
