// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.internal.fence.Cause;
import io.github.kueue4j.sdk.internal.fence.Decision;
import io.github.kueue4j.sdk.internal.fence.EntryPatch;
import io.github.kueue4j.sdk.internal.fence.Fence;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Asks the fence whether a verdict may still be written, and patches the Workload's entry. The only
 * writer of Workloads.
 *
 * <p>The first try uses the informer's object, which costs one request; if the object has changed
 * since, the server refuses, and every later try uses a live read.
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

  /** The result of writing a verdict. */
  enum WriteResult {
    /** The object shows the verdict now. */
    STANDS,
    /** It came too late, and no other is needed. */
    DROPPED,
    /** It came too late, and the workload may be due again. */
    EVALUATE_ANEW
  }

  /**
   * A verdict and what became of it.
   *
   * @param verdict what was to be written: the check's, or a wait in its place
   */
  record Written(Verdict verdict, WriteResult result) {}

  /**
   * Writes what the fence lets through: of a check in the mode Observe a record of the verdict, as
   * a Ready, so that no core waits for it.
   *
   * @param asked with its delay computed
   * @param placeholders how its message is to be read
   * @throws RefusedVerdictException if the API server finds the verdict invalid
   * @throws KubernetesApiException if the API server can't be asked
   */
  Written write(OwnEntry<?> entry, Verdict asked, Placeholders placeholders) {
    // An answer of the check: it gives none while its parameters can't be used.
    if (entry.observes() && entry.parameters() instanceof Resolution.Found<?>) {
      return observed(entry, worded(entry, asked, placeholders));
    }
    Verdict verdict =
        unlikeARecord(
            entry.check(),
            worded(
                entry,
                droppedDelays.waitInstead(entry, asked, placeholders, time.instant()),
                placeholders));
    WriteResult result =
        write(entry, fenced(entry, verdict), after -> told(entry, after, reason(verdict)));
    if (result == WriteResult.STANDS) {
      droppedDelays.written(entry, verdict, time.instant());
    }
    return new Written(verdict, result);
  }

  private Written observed(OwnEntry<?> entry, Verdict verdict) {
    ObservedAnswer answer = new ObservedAnswer(state(verdict), reason(verdict), message(verdict));
    Verdict recorded = Verdict.ready(answer.text());
    WriteResult result =
        write(
            entry,
            fenced(entry, recorded),
            after -> {
              metrics.observed(entry.check(), answer);
              log(entry, after, answer.reason(), "Recorded what would have been answered");
            });
    return new Written(recorded, result);
  }

  private static Fenced fenced(OwnEntry<?> entry, Verdict verdict) {
    return (newest, now) ->
        Fence.decide(entry.check(), entry.token(), newest, entry.judgesWhatRuns(), verdict, now);
  }

  /**
   * Ends the delay of the check's own that the entry asks for.
   *
   * @throws RefusedVerdictException if the API server finds it invalid
   * @throws KubernetesApiException if the API server can't be asked
   */
  WriteResult endDelay(OwnEntry<?> entry, String why) {
    return write(
        entry,
        (newest, now) -> Fence.endDelay(entry.check(), entry.token(), newest, why),
        after -> {
          metrics.delaysEnded(entry.check()).increment();
          log(entry, after, "", "Ended a delay early");
        });
  }

  /** The decision of the fence about a newest object, which is absent if the workload is gone. */
  @FunctionalInterface
  private interface Fenced {
    Decision by(@Nullable Workload newest, Instant now);
  }

  /** A Retry whose message says the delay that is written, here, so that it is that one. */
  private static Verdict worded(OwnEntry<?> entry, Verdict verdict, Placeholders placeholders) {
    if (!(verdict instanceof Verdict.Retry retry)) {
      return verdict;
    }
    Duration delay =
        retry.delay() instanceof Delay.Exact(Duration duration) ? duration : Duration.ZERO;
    return new Verdict.Retry(
        retry.reason(), placeholders.of(retry, entry.attempt(), delay), retry.delay());
  }

  /** An author's Ready that read as a record would be no answer, and asked for again for ever. */
  private static Verdict unlikeARecord(String check, Verdict verdict) {
    if (!(verdict instanceof Verdict.Ready ready)) {
      return verdict;
    }
    AdmissionCheckState shown =
        AdmissionCheckState.pending(check, Instant.EPOCH)
            .withState(CheckState.READY)
            .withMessage(ready.message());
    return ObservedAnswer.of(shown).isPresent()
        ? new Verdict.Ready(ready.updates(), "The check said: " + ready.message())
        : ready;
  }

  /**
   * Writes what the fence lets through.
   *
   * @param tell counts and logs the entry that was written
   */
  private WriteResult write(OwnEntry<?> entry, Fenced fenced, Consumer<AdmissionCheckState> tell) {
    ObjectKey key = entry.key();
    String check = entry.check();
    CheckMemory memory = entry.memory();
    @Nullable Workload newest = workloads.get(key).orElse(null);
    boolean current = showsAwaited(newest, check, memory);
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      switch (fenced.by(newest, time.instant())) {
        case Decision.Keep keep -> {
          if (current) {
            return WriteResult.STANDS;
          }
          // An object from before the last write says so; that write may have said another thing.
          newest = read(key, check, memory);
          current = true;
        }
        case Decision.Drop drop -> {
          return dropped(key, check, drop.cause(), WriteResult.DROPPED);
        }
        case Decision.DropAndEvaluateAnew anew -> {
          return dropped(key, check, anew.cause(), WriteResult.EVALUATE_ANEW);
        }
        case Decision.Write write -> {
          // The fence writes to nothing but the object it was given.
          Workload base = Objects.requireNonNull(newest);
          @Nullable Workload stored = patched(key, base, write);
          if (stored != null) {
            tell.accept(write.after());
            memory.await(stored.status().admissionCheck(check).orElse(null));
            return WriteResult.STANDS;
          }
          newest = read(key, check, memory);
          current = true;
        }
      }
    }
    throw new IllegalStateException(
        "the workload %s changed during each of %s tries to write the entry of '%s'; it will be evaluated again"
            .formatted(key, TRIES, check));
  }

  /** Whether the informer's object isn't from before the last write into this entry. */
  private static boolean showsAwaited(@Nullable Workload shown, String check, CheckMemory memory) {
    @Nullable AdmissionCheckState awaited = memory.awaited();
    if (awaited == null) {
      return true;
    }
    boolean shows =
        shown != null && shown.status().admissionCheck(check).filter(awaited::equals).isPresent();
    if (shows) {
      memory.await(null);
    }
    return shows;
  }

  private @Nullable Workload read(ObjectKey key, String check, CheckMemory memory) {
    @Nullable Workload read = api.get(type, key).orElse(null);
    memory.await(read == null ? null : read.status().admissionCheck(check).orElse(null));
    return read;
  }

  /** Writes it; null if the object has changed meanwhile. */
  private @Nullable Workload patched(ObjectKey key, Workload base, Decision.Write write) {
    Workload stored;
    try {
      stored = api.patchStatus(type, key, EntryPatch.of(base, write));
    } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
      return null;
    } catch (KubernetesApiException.BadRequest e) {
      // Too large, for example; it would be refused each time.
      throw new RefusedVerdictException(key, write.before().name(), e);
    } catch (KubernetesApiException.Forbidden e) {
      if (isOfAWebhook(e)) {
        throw new RefusedVerdictException(key, write.before().name(), e);
      }
      // The account lacks the right: for its administrator to mend, not for the workload's owner.
      throw e;
    } catch (KubernetesApiException.Invalid e) {
      // Either the test of the entry's place failed, or, if the object is unchanged, the verdict is
      // invalid.
      boolean same =
          api.get(type, key)
              .map(live -> live.metadata().getResourceVersion())
              .filter(version -> version.equals(base.metadata().getResourceVersion()))
              .isPresent();
      if (same) {
        throw new RefusedVerdictException(key, write.before().name(), e);
      }
      return null;
    }
    if (write.after().requeueAfterSeconds() != null) {
      stored
          .status()
          .admissionCheck(write.after().name())
          .ifPresent(
              entry -> droppedDelays.stored(entry.name(), entry.requeueAfterSeconds() != null));
    }
    recordEvent(base, write);
    return stored;
  }

  /** Webhooks refuse what is invalid with 403, too; the API server then says so in these words. */
  private static boolean isOfAWebhook(KubernetesApiException.Forbidden refusal) {
    String message = String.valueOf(refusal.getMessage());
    return message.contains("admission webhook") && message.contains("denied the request");
  }

  private void told(OwnEntry<?> entry, AdmissionCheckState after, String reason) {
    metrics.written(entry.check(), after, reason);
    log(entry, after, reason, "Wrote a verdict");
  }

  private static void log(
      OwnEntry<?> entry, AdmissionCheckState after, String reason, String what) {
    LoggingEventBuilder line =
        log.atInfo()
            .addKeyValue("workload", entry.key())
            .addKeyValue("check", after.name())
            .addKeyValue("state", after.state());
    if (!reason.isEmpty()) {
      line = line.addKeyValue("reason", reason);
    }
    @Nullable Integer delay = after.requeueAfterSeconds();
    if (delay != null) {
      line = line.addKeyValue("delay", Duration.ofSeconds(delay));
    }
    line.addKeyValue("attempt", entry.attempt()).log(what);
  }

  /** The object shows a change of state only until the next reservation; the event keeps it. */
  private void recordEvent(Workload workload, Decision.Write write) {
    AdmissionCheckState before = write.before();
    AdmissionCheckState after = write.after();
    if (!before.is(after.state())) {
      String message = after.message().isEmpty() ? "" : " with message: " + after.message();
      events.normal(
          workload,
          "AdmissionCheckUpdated",
          "AdmissionCheckUpdated",
          "Admission check %s updated state from %s to %s%s"
              .formatted(after.name(), before.state().value(), after.state().value(), message));
    }
  }

  private WriteResult dropped(ObjectKey key, String check, Cause cause, WriteResult result) {
    metrics.dropped(check, cause);
    log.atDebug()
        .addKeyValue("workload", key)
        .addKeyValue("check", check)
        .addKeyValue("cause", cause.label())
        .log("Dropped a verdict that came too late");
    return result;
  }

  private static CheckState state(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Ready ready -> CheckState.READY;
      case Verdict.Retry retry -> CheckState.RETRY;
      case Verdict.Rejected rejected -> CheckState.REJECTED;
      case Verdict.Pending pending -> CheckState.PENDING;
      case Verdict.Unchanged unchanged -> CheckState.PENDING;
    };
  }

  private static String message(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Ready ready -> ready.message();
      case Verdict.Retry retry -> retry.message();
      case Verdict.Rejected rejected -> rejected.message();
      case Verdict.Pending pending -> pending.message();
      case Verdict.Unchanged unchanged -> unchanged.why();
    };
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
