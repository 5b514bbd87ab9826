// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.Holding;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * The ids of attempts. An attempt is one reservation of one workload as one check sees it, and its
 * id is computed from the object alone, so every process computes the same, also after a restart.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Attempts {

  private Attempts() {}

  /** The id of the attempt that the workload's QuotaReserved condition stands for. */
  public static String id(Workload workload, String check) {
    Instant reservedSince =
        workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH);
    String name = uid(workload) + '/' + check + '/' + reservedSince.getEpochSecond();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** What the check may hold for the workload's present attempt. */
  public static Holding holding(Workload workload, String check) {
    return new Holding(workload.key(), uid(workload), check, id(workload, check));
  }

  static String uid(Workload workload) {
    return Objects.requireNonNullElse(workload.metadata().getUid(), "");
  }
}
