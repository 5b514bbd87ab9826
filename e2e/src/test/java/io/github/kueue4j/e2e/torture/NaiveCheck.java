// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.observer.Authors;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.Patch;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A check controller as people write them without an SDK: it answers the first reservations with
 * Retry and the later ones with Ready, and besides it writes at moments of its own, whatever has
 * become of the Workload, with dates that may be wrong and sometimes from an old copy.
 */
public final class NaiveCheck implements AutoCloseable {
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);
  private static final int THREADS = 4;

  private final String name;
  private final KubernetesApi api;
  private final TimeSource time;
  private final Authors authors;
  private final Style style;
  private final long seed;
  private final Informers informers;
  private final Informer<Workload> workloads;
  private final Actors actors;
  private final Map<ObjectKey, Script> scripts = new ConcurrentHashMap<>();
  private final AtomicLong words = new AtomicLong();

  /**
   * How it behaves.
   *
   * @param answers at most how many reservations it answers with Retry; at least one
   * @param outbursts at most how many times per Workload it writes at a moment of its own, and how
   *     many times right after something has happened
   * @param within how long after the Workload's creation these moments are
   * @param longestDelay of a Retry
   * @param overwrites the share of writes that replace all entries without a precondition
   */
  public record Style(
      int answers, int outbursts, Duration within, Duration longestDelay, double overwrites) {}

  /** What it has in mind for one Workload; guarded by itself. */
  private static final class Script {
    private final Random random;
    private int retries;
    private int unlucky;

    Script(Random random) {
      this.random = random;
    }
  }

  private NaiveCheck(
      String name,
      ClusterConnection connection,
      TimeSource time,
      Authors authors,
      Style style,
      long seed) {
    this.name = name;
    this.actors = Actors.atMost(THREADS, name);
    this.api = connection.api();
    this.time = time;
    this.authors = authors;
    this.style = style;
    this.seed = seed;
    this.informers = Informers.on(connection);
    this.workloads =
        informers.of(KueueTypes.WORKLOAD).inNamespace(TortureCluster.NAMESPACE).register();
  }

  /**
   * Starts one.
   *
   * @param name of the AdmissionCheck
   * @param connection its own
   */
  static NaiveCheck start(
      String name,
      ClusterConnection connection,
      TimeSource time,
      Authors authors,
      Style style,
      long seed)
      throws InterruptedException {
    NaiveCheck check = new NaiveCheck(name, connection, time, authors, style, seed);
    check.workloads.onChange(change -> check.actors.start(() -> check.seen(change.object())));
    check.informers.start();
    check.informers.awaitSynced(Patience.LIMIT);
    return check;
  }

  private void seen(Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    Script script = scripts.computeIfAbsent(key, this::imagine);
    if (asked(workload)) {
      answer(key, script);
    } else if (unlucky(script)) {
      burstOut(key, script);
    }
  }

  /** Whether it can't keep quiet right after an eviction, a requeue or whatever just happened. */
  private static boolean unlucky(Script script) {
    synchronized (script) {
      if (script.unlucky == 0 || script.random.nextInt(3) > 0) {
        return false;
      }
      script.unlucky--;
      return true;
    }
  }

  private Script imagine(ObjectKey key) {
    Script script = new Script(new Random(seed ^ (name + '/' + key).hashCode()));
    script.retries = 1 + script.random.nextInt(style.answers());
    script.unlucky = script.random.nextInt(style.outbursts() + 1);
    int outbursts = script.random.nextInt(style.outbursts() + 1);
    for (int i = 0; i < outbursts; i++) {
      long millis = (long) (style.within().toMillis() * script.random.nextDouble());
      Instant when = time.instant().plusMillis(millis);
      time.at(when, () -> actors.start(() -> burstOut(key, script)));
    }
    return script;
  }

  private boolean asked(Workload workload) {
    return workload.spec().active()
        && isTrue(workload, WorkloadConditions.QUOTA_RESERVED)
        && !isTrue(workload, WorkloadConditions.EVICTED)
        && !isTrue(workload, WorkloadConditions.FINISHED)
        && workload
            .status()
            .admissionCheck(name)
            .filter(entry -> entry.is(CheckState.PENDING))
            .isPresent();
  }

  private static boolean isTrue(Workload workload, String condition) {
    return Conditions.isTrue(workload.status().conditions(), condition);
  }

  /** As it should be: once for a reservation, guarded, dated now. */
  private void answer(ObjectKey key, Script script) {
    try {
      Optional<Workload> live = api.get(KueueTypes.WORKLOAD, key);
      if (live.isEmpty() || !asked(live.get())) {
        return;
      }
      boolean retry;
      @Nullable Integer delay;
      synchronized (script) {
        retry = script.retries > 0;
        script.retries--;
        delay = retry ? delay(script.random) : null;
      }
      Instant now = time.instant();
      AdmissionCheckState entry =
          entry(live.get(), now)
              .withState(retry ? CheckState.RETRY : CheckState.READY)
              .withMessage(message("answers"))
              .withRequeueAfterSeconds(delay);
      send(live.get(), RawPatches.entryIfUnchanged(live.get(), entry), now);
    } catch (KubernetesApiException.Conflict | KubernetesApiException.Invalid changed) {
      // Another client wrote first. Its write arrives by the watch, or is read here again.
      time.after(TRY_AGAIN, () -> actors.start(() -> workloads.get(key).ifPresent(this::seen)));
    } catch (KubernetesApiException.NotFound gone) {
      scripts.remove(key);
    }
  }

  /** As it shouldn't be. */
  private void burstOut(ObjectKey key, Script script) {
    Random random = script.random;
    try {
      Workload read;
      Patch patch;
      Instant now;
      synchronized (script) {
        Optional<Workload> found =
            random.nextInt(4) == 0 ? workloads.get(key) : api.get(KueueTypes.WORKLOAD, key);
        if (found.isEmpty()) {
          return;
        }
        read = found.get();
        now = time.instant();
        AdmissionCheckState entry = word(random, read, now);
        patch = patch(random, read, entry);
      }
      send(read, patch, now);
    } catch (KubernetesApiException.Conflict
        | KubernetesApiException.Invalid
        | KubernetesApiException.NotFound refused) {
      // The write used a precondition that failed, or was refused; this answer is dropped.
      return;
    }
  }

  private AdmissionCheckState word(Random random, Workload read, Instant now) {
    int dice = random.nextInt(10);
    CheckState state =
        dice < 6 ? CheckState.RETRY : dice < 8 ? CheckState.READY : CheckState.PENDING;
    AdmissionCheckState old = entry(read, now);
    return old.withState(state)
        .withLastTransitionTime(date(random, read, now))
        .withMessage(message("bursts out"))
        .withRequeueAfterSeconds(state.equals(CheckState.RETRY) ? delay(random) : null);
  }

  private Instant date(Random random, Workload read, Instant now) {
    return switch (random.nextInt(10)) {
      case 0 -> now.minus(Duration.ofHours(1));
      case 1 -> now.plus(Duration.ofHours(1));
      case 2 -> Instant.EPOCH;
      case 3 ->
          read.status()
              .admissionCheck(name)
              .map(AdmissionCheckState::lastTransitionTime)
              .orElse(now);
      default -> now;
    };
  }

  private @Nullable Integer delay(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> 0;
      default -> 1 + random.nextInt((int) style.longestDelay().toSeconds());
    };
  }

  private Patch patch(Random random, Workload read, AdmissionCheckState entry) {
    if (random.nextDouble() < style.overwrites()) {
      return RawPatches.allEntries(read, entry);
    }
    return switch (random.nextInt(3)) {
      case 0 -> RawPatches.allEntriesIfUnchanged(read, entry);
      case 1 -> RawPatches.entryIfUnchanged(read, entry);
      default -> RawPatches.entry(read, entry);
    };
  }

  private AdmissionCheckState entry(Workload read, Instant now) {
    return read.status()
        .admissionCheck(name)
        .orElse(AdmissionCheckState.pending(name, now))
        .withLastTransitionTime(now);
  }

  /** Never the same twice, so that every write makes a version. */
  private String message(String how) {
    return name + ' ' + how + ' ' + words.incrementAndGet();
  }

  private void send(Workload read, Patch patch, Instant sentAfter) {
    authors.check(
        name, sentAfter, () -> api.patchStatus(KueueTypes.WORKLOAD, ObjectKey.of(read), patch));
  }

  /** How many times it wrote, or tried to. */
  long words() {
    return words.get();
  }

  /** Throws what it has failed with so far. */
  void throwIfFailed() {
    actors.throwIfFailed();
  }

  @Override
  public void close() {
    try (informers) {
      actors.close();
    }
  }
}
