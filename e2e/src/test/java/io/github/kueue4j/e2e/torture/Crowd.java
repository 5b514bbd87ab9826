// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.observer.Authors;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The users and their work: half of the Workloads stand for Jobs, the others for themselves and
 * finish once they have run; now and then a user deactivates something for a while.
 */
final class Crowd implements AutoCloseable {
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);
  private static final Duration LONGEST_RUN = Duration.ofSeconds(4);
  private static final int THREADS = 4;

  private final KubernetesApi api;
  private final TimeSource time;
  private final Authors authors;
  private final Dice dice;
  private final Informers informers;
  private final Informer<Workload> workloads;
  private final Actors actors = Actors.atMost(THREADS, "user");

  /** What is about to finish, so that a second look doesn't plan it twice. */
  private final Set<ObjectKey> planned = ConcurrentHashMap.newKeySet();

  private Crowd(ClusterConnection connection, TimeSource time, Authors authors, Dice dice) {
    this.api = connection.api();
    this.time = time;
    this.authors = authors;
    this.dice = dice;
    this.informers = Informers.on(connection);
    this.workloads =
        informers.of(KueueTypes.WORKLOAD).inNamespace(TortureCluster.NAMESPACE).register();
  }

  static Crowd start(ClusterConnection connection, TimeSource time, Authors authors, Dice dice)
      throws InterruptedException {
    Crowd crowd = new Crowd(connection, time, authors, dice);
    crowd.workloads.onChange(change -> crowd.look(change.key()));
    crowd.informers.start();
    crowd.informers.awaitSynced(Patience.LIMIT);
    return crowd;
  }

  /** A Workload of its own. */
  void workload(String name, int cpus) {
    Manifests.parse(TortureCluster.workload(name, cpus)).createIn(api);
  }

  /** A Job, which the core gives a Workload. */
  void job(String name, int cpus) {
    Manifests.parse(TortureCluster.jobOf(PlayedJobController.NAME, name, cpus)).createIn(api);
  }

  /** A user deactivates a Workload and changes their mind after a while. */
  void deactivate(ObjectKey workload, Duration pause) {
    actors.start(
        () -> {
          activate(workload, false);
          // Only now: on a busy machine the second thought would be written first.
          after(pause, () -> activate(workload, true));
        });
  }

  /** A user deactivates a Workload, or activates it again; does nothing if it is gone. */
  void activate(ObjectKey workload, boolean active) {
    patchSpec(workload, "{spec: {active: " + active + "}}");
  }

  /** A user changes the priority; does nothing if the Workload is gone. */
  void prioritize(ObjectKey workload, int priority) {
    patchSpec(workload, "{spec: {priority: " + priority + "}}");
  }

  private void patchSpec(ObjectKey workload, String patch) {
    Instant now = time.instant();
    try {
      authors.user("user", now, () -> api.patch(KueueTypes.WORKLOAD, workload, merge(patch)));
    } catch (KubernetesApiException.NotFound gone) {
      return;
    }
  }

  private void after(Duration delay, Actors.Task task) {
    time.after(delay, () -> actors.start(task));
  }

  /** An admitted Workload without a Job finishes after a while, unless it was evicted. */
  private void look(ObjectKey key) {
    Workload workload = workloads.get(key).orElse(null);
    if (workload == null || !runsByItself(workload) || !planned.add(key)) {
      return;
    }
    after(
        dice.upTo(key, LONGEST_RUN),
        () -> {
          planned.remove(key);
          finish(key);
        });
  }

  private static boolean runsByItself(Workload workload) {
    var conditions = workload.status().conditions();
    return (workload.metadata().getOwnerReferences() == null
            || workload.metadata().getOwnerReferences().isEmpty())
        && workload.spec().active()
        && Conditions.isTrue(conditions, WorkloadConditions.ADMITTED)
        && !Conditions.isTrue(conditions, WorkloadConditions.EVICTED)
        && !Conditions.isTrue(conditions, WorkloadConditions.FINISHED);
  }

  private void finish(ObjectKey key) {
    try {
      Instant now = time.instant();
      Optional<Workload> live = api.get(KueueTypes.WORKLOAD, key).filter(Crowd::runsByItself);
      if (live.isPresent()) {
        Workload before = live.get();
        Workload after =
            before.withStatus(
                before
                    .status()
                    .withConditions(
                        Conditions.set(
                            before.status().conditions(),
                            Condition.isTrue(
                                WorkloadConditions.FINISHED, "Succeeded", "It ran", now))));
        authors.user(
            "user",
            now,
            () -> api.patchStatus(KueueTypes.WORKLOAD, GuardedPatch.ofStatus(before, after)));
      }
    } catch (KubernetesApiException.Conflict changed) {
      after(TRY_AGAIN, () -> look(key));
    }
  }

  private static MergePatch merge(String lenientJson) {
    return new MergePatch(JsonParser.parseString(lenientJson).getAsJsonObject());
  }

  /** Throws what users have failed with so far. */
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
