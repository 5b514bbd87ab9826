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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fence.Cause;
import io.github.kueue4j.sdk.fence.Decision;
import io.github.kueue4j.sdk.fence.EntryPatch;
import io.github.kueue4j.sdk.fence.Fence;
import io.github.kueue4j.sdk.fence.Token;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a verdict through the fence to the API server. The one place that writes to Workloads.
 *
 * <p>The first try goes by the informer, which costs one request; if the object has moved on, the
 * server says so, and every later try goes by a live read.
 */
final class VerdictWriter {

  private static final int TRIES = 8;
  private static final Logger log = LoggerFactory.getLogger(VerdictWriter.class);

  private final Informer<Workload> workloads;
  private final KubernetesApi api;
  private final ResourceType<Workload> type;
  private final DroppedDelays droppedDelays;
  private final EventRecorder events;
  private final InstantSource time;
  private final CheckMetrics metrics;

  VerdictWriter(
      Informer<Workload> workloads,
      KubernetesApi api,
      ServedVersion served,
      DroppedDelays droppedDelays,
      EventRecorder events,
      InstantSource time,
      CheckMetrics metrics) {
    this.workloads = workloads;
    this.api = api;
    this.type = served.of(KueueTypes.WORKLOAD);
    this.droppedDelays = droppedDelays;
    this.events = events;
    this.time = time;
    this.metrics = metrics;
  }

  /** What became of a verdict. */
  enum Fate {
    /** The object says so now. */
    STANDS,
    /** It came too late and nobody needs another. */
    DROPPED,
    /** It came too late, and the workload may be due again. */
    EVALUATE_ANEW
  }

  /**
   * Writes what the fence lets through.
   *
   * @throws RefusedVerdictException if the API server finds the verdict invalid
   * @throws KubernetesApiException if the API server can't be asked
   */
  Fate write(ObjectKey key, String check, Token token, Verdict verdict) {
    @Nullable Workload newest = workloads.get(key).orElse(null);
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      switch (Fence.decide(check, token, newest, verdict, time.instant())) {
        case Decision.Keep keep -> {
          return Fate.STANDS;
        }
        case Decision.Drop drop -> {
          return dropped(key, check, drop.cause(), Fate.DROPPED);
        }
        case Decision.DropAndEvaluateAnew anew -> {
          return dropped(key, check, anew.cause(), Fate.EVALUATE_ANEW);
        }
        case Decision.Write write -> {
          // The fence writes to nothing but the object it was given.
          Workload base = Objects.requireNonNull(newest);
          if (patched(key, base, write, verdict)) {
            return Fate.STANDS;
          }
          newest = api.get(type, key).orElse(null);
        }
      }
    }
    throw new IllegalStateException(
        "the workload "
            + key
            + " changed during each of "
            + TRIES
            + " tries to write the verdict of '"
            + check
            + "'; it will be evaluated again");
  }

  private boolean patched(ObjectKey key, Workload base, Decision.Write write, Verdict verdict) {
    Workload stored;
    try {
      stored = api.patchStatus(type, key, EntryPatch.of(base, write));
    } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
      return false;
    } catch (KubernetesApiException.Invalid e) {
      // A failed test of the entry's place; unless the object has not moved at all.
      boolean same =
          api.get(type, key)
              .map(live -> live.metadata().getResourceVersion())
              .filter(version -> version.equals(base.metadata().getResourceVersion()))
              .isPresent();
      if (same) {
        throw new RefusedVerdictException(key, write.before().name(), e);
      }
      return false;
    }
    if (write.after().requeueAfterSeconds() != null) {
      stored
          .status()
          .admissionCheck(write.after().name())
          .ifPresent(
              entry -> droppedDelays.stored(entry.name(), entry.requeueAfterSeconds() != null));
    }
    metrics.written(write.before().name(), write.after(), reason(verdict));
    tell(base, write);
    log.atDebug()
        .addKeyValue("workload", key)
        .addKeyValue("check", write.before().name())
        .addKeyValue("state", write.after().state())
        .addKeyValue("reason", reason(verdict))
        .log("Wrote a verdict");
    return true;
  }

  /** An event says what a person sees in the object only until the next round. */
  private void tell(Workload workload, Decision.Write write) {
    AdmissionCheckState before = write.before();
    AdmissionCheckState after = write.after();
    if (!before.is(after.state())) {
      String message = after.message().isEmpty() ? "" : " with message: " + after.message();
      events.normal(
          workload,
          "AdmissionCheckUpdated",
          "AdmissionCheckUpdated",
          "Admission check "
              + after.name()
              + " updated state from "
              + before.state().value()
              + " to "
              + after.state().value()
              + message);
    }
  }

  private Fate dropped(ObjectKey key, String check, Cause cause, Fate fate) {
    metrics.dropped(check, cause);
    log.atDebug()
        .addKeyValue("workload", key)
        .addKeyValue("check", check)
        .addKeyValue("cause", cause.label())
        .log("Dropped a verdict that came too late");
    return fate;
  }

  private static String reason(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Retry retry -> retry.reason().value();
      case Verdict.Rejected rejected -> rejected.reason().value();
      case Verdict.Ready ready -> "";
      case Verdict.Pending pending -> "";
      case Verdict.Unchanged unchanged -> "";
    };
  }
}
