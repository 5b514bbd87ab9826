// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The checks that delay a Workload, and until when.
 *
 * @param by the admission check, {@value #PODS_READY}, or {@code requeueState} where the object
 *     doesn't say whose delay it is
 * @param until when the delay ends
 * @param message of the check; may be empty
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DelayedBy(String by, Instant until, String message) {
  /** The backoff of pods that didn't get ready in time. */
  public static final String PODS_READY = "waitForPodsReady";

  /**
   * The delays of a Workload that waits, the checks' own first; empty if no end is known. What a
   * check asks for counts until the {@code requeueAt} of the core at most, and for 24 h where the
   * core has written none.
   */
  public static List<DelayedBy> of(Workload workload) {
    List<DelayedBy> delays = new ArrayList<>();
    Instant until = workload.status().requeueAt();
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      if (entry.is(CheckState.RETRY) && entry.requeueAfterSeconds() != null) {
        AskedDelay asked = AskedDelay.of(entry, until);
        delays.add(new DelayedBy(entry.name(), asked.until(), entry.message()));
      }
    }
    if (until != null && delays.stream().noneMatch(delay -> !delay.until().isBefore(until))) {
      delays.add(remaining(workload, until));
    }
    return List.copyOf(delays);
  }

  /** The delay that no entry names: a Retry without one is delayed by the configuration. */
  private static DelayedBy remaining(Workload workload, Instant until) {
    if (workload.conditions().heldForPodsReady()) {
      return new DelayedBy(PODS_READY, until, "");
    }
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.is(CheckState.RETRY) && entry.requeueAfterSeconds() == null)
        .findFirst()
        .map(entry -> new DelayedBy(entry.name(), until, entry.message()))
        .orElseGet(() -> new DelayedBy("requeueState", until, ""));
  }
}
