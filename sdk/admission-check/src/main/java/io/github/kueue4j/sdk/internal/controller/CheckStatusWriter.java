// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStatus;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the status of AdmissionChecks, which the account of the controller may not be allowed. */
final class CheckStatusWriter {

  /** How soon a refused write is tried again. */
  private static final Duration REFUSED_AGAIN = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(CheckStatusWriter.class);

  private final KubernetesApi api;
  private final ResourceType<AdmissionCheck> type;
  private final Supplier<String> remedy;
  private final InstantSource steady;
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /**
   * Has written nothing yet.
   *
   * @param type as it is served
   * @param remedy what grants the rights for the controller's AdmissionChecks
   */
  CheckStatusWriter(
      KubernetesApi api,
      ResourceType<AdmissionCheck> type,
      Supplier<String> remedy,
      InstantSource steady) {
    this.api = api;
    this.type = type;
    this.remedy = remedy;
    this.steady = steady;
  }

  /** Returns when to try again, on the steady clock, if the write was refused. */
  Optional<Instant> write(AdmissionCheck check, List<Condition> conditions) {
    try {
      api.patchStatus(
          type,
          GuardedPatch.ofStatus(check, check.withStatus(new AdmissionCheckStatus(conditions))));
    } catch (KubernetesApiException.Forbidden e) {
      if (!e.lacksRight()) {
        throw e;
      }
      tellRefused(check, e);
      return Optional.of(steady.instant().plus(REFUSED_AGAIN));
    }
    forget(check.key().name());
    return Optional.empty();
  }

  /**
   * Forgets that a write was refused: one has succeeded, or the check isn't the controller's any
   * more.
   */
  void forget(String check) {
    refused.remove(check);
  }

  /** Once, until it is written: nothing changes before an administrator grants the right. */
  private void tellRefused(AdmissionCheck check, KubernetesApiException.Forbidden cause) {
    String name = check.key().name();
    if (refused.add(name)) {
      boolean active = Conditions.isTrue(check.status().conditions(), ActiveCondition.TYPE);
      log.atWarn()
          .addKeyValue("check", name)
          .addKeyValue("cause", cause.getMessage())
          .addKeyValue("remedy", remedy.get())
          .log(
              active
                  ? "The account may not write the status of the AdmissionCheck, which gets old"
                  : "The account may not write the status of the AdmissionCheck: no Workload gets"
                      + " quota in a queue that asks it");
    }
  }
}
