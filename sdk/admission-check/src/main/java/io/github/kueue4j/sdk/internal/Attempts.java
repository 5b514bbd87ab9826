// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.Holding;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * The ids of attempts. An attempt is one reservation of one workload as one check sees it, or one
 * question about it before quota; its id is computed from the object alone, so every process
 * computes the same, also after a restart.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Attempts {

  private Attempts() {}

  /**
   * The id of the attempt that the workload's QuotaReserved condition stands for; before quota, of
   * the question that the check's entry stands for.
   */
  public static String id(Workload workload, String check) {
    Instant reservedSince =
        workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH);
    String name = uid(workload) + '/' + check + '/' + reservedSince.getEpochSecond();
    if (CheckStage.asks(workload)) {
      Instant asked =
          workload
              .status()
              .admissionCheck(check)
              .map(AdmissionCheckState::lastTransitionTime)
              .orElse(Instant.EPOCH);
      name += "/" + asked.getEpochSecond() + '/' + workload.metadata().getGeneration();
    }
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** The holding of the check for the workload's present attempt. */
  public static Holding holding(Workload workload, String check) {
    return new Holding(workload.key(), uid(workload), check, id(workload, check));
  }

  static String uid(Workload workload) {
    return Objects.requireNonNullElse(workload.metadata().getUid(), "");
  }
}
