// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.observer.Authors;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.MergePatch;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * The users and their work: half of the Workloads stand for Jobs, the others for themselves. Jobs
 * run, stop late when told to, and finish; now and then a user deactivates something for a while.
 */
final class Crowd implements AutoCloseable {
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);
  private static final Duration LONGEST_RUN = Duration.ofSeconds(4);
  private static final Duration LATEST_STOP = Duration.ofSeconds(2);
  private static final int THREADS = 4;

  private final KubernetesApi api;
  private final TimeSource time;
  private final Authors authors;
  private final long seed;
  private final Informers informers;
  private final Informer<Workload> workloads;
  private final Informer<V1Job> jobs;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final Map<ObjectKey, Random> random = new ConcurrentHashMap<>();

  /** What is about to be done, so that a second look doesn't do it twice. */
  private final Set<String> planned = ConcurrentHashMap.newKeySet();

  private Crowd(ClusterConnection connection, TimeSource time, Authors authors, long seed) {
    this.api = connection.api();
    this.time = time;
    this.authors = authors;
    this.seed = seed;
    this.informers = Informers.on(connection);
    this.workloads =
        informers.of(KueueTypes.WORKLOAD).inNamespace(TortureCluster.NAMESPACE).register();
    this.jobs = informers.of(CoreTypes.JOB).inNamespace(TortureCluster.NAMESPACE).register();
  }

  static Crowd start(ClusterConnection connection, TimeSource time, Authors authors, long seed)
      throws InterruptedException {
    Crowd crowd = new Crowd(connection, time, authors, seed);
    crowd.workloads.onChange(change -> crowd.later(() -> crowd.look(change.key())));
    crowd.jobs.onChange(change -> crowd.later(() -> crowd.lookAtJob(change.key())));
    crowd.informers.start();
    crowd.informers.awaitSynced(Duration.ofSeconds(30));
    return crowd;
  }

  /** A Workload of its own. */
  void workload(String name, int cpus) {
    Manifests.parse(TortureCluster.workload(name, cpus)).createIn(api);
  }

  /** A Job, which the core gives a Workload. */
  void job(String name, int cpus) {
    Manifests.parse(TortureCluster.job(name, cpus)).createIn(api);
  }

  /** A user deactivates a Workload and changes their mind after a while. */
  void deactivate(ObjectKey workload, Duration pause) {
    later(
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
      written(api.patch(KueueTypes.WORKLOAD, workload, merge(patch)), now);
    } catch (KubernetesApiException.NotFound gone) {
      return;
    }
  }

  private void later(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException closed) {
      return;
    }
  }

  private void after(Duration delay, Runnable task) {
    time.after(delay, () -> later(task));
  }

  private Duration upTo(ObjectKey key, Duration most) {
    Random dice = random.computeIfAbsent(key, k -> new Random(seed ^ k.hashCode()));
    synchronized (dice) {
      return Duration.ofMillis(dice.nextInt((int) most.toMillis()));
    }
  }

  /** An admitted Workload without a Job finishes after a while, unless it was evicted. */
  private void look(ObjectKey key) {
    Workload workload = workloads.get(key).orElse(null);
    if (workload == null || !runsByItself(workload) || !planned.add("finish " + key)) {
      return;
    }
    after(
        upTo(key, LONGEST_RUN),
        () -> {
          planned.remove("finish " + key);
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
        written(api.patchStatus(KueueTypes.WORKLOAD, GuardedPatch.ofStatus(before, after)), now);
      }
    } catch (KubernetesApiException.Conflict changed) {
      after(TRY_AGAIN, () -> look(key));
    }
  }

  private void written(Workload workload, Instant sentAfter) {
    authors.user(
        "user", Objects.requireNonNull(workload.metadata().getResourceVersion()), sentAfter);
  }

  /** Plays the Job controller: pods come at once, go late, and succeed. */
  private void lookAtJob(ObjectKey key) {
    V1Job job = jobs.get(key).orElse(null);
    if (job == null || complete(job)) {
      return;
    }
    boolean suspended = suspended(job);
    boolean runs = runs(job);
    if (!suspended && !runs) {
      patch(key, "{status: {active: 1, startTime: \"" + ApiTime.format(time.instant()) + "\"}}");
    } else if (suspended && runs && planned.add("stop " + key)) {
      after(
          upTo(key, LATEST_STOP),
          () -> {
            planned.remove("stop " + key);
            if (jobs.get(key).filter(Crowd::suspended).isPresent()) {
              patch(key, "{status: {active: 0}}");
            }
          });
    } else if (!suspended && planned.add("complete " + key)) {
      after(
          upTo(key, LONGEST_RUN),
          () -> {
            planned.remove("complete " + key);
            completeJob(key);
          });
    }
  }

  private void completeJob(ObjectKey key) {
    V1Job job = api.get(CoreTypes.JOB, key).orElse(null);
    if (job == null || complete(job) || suspended(job) || !runs(job)) {
      return;
    }
    try {
      JsonObject document =
          parse(
              """
              {status: {active: 0, succeeded: 1, conditions: [
                {type: Complete, status: "True", message: "It ran"}]}}
              """);
      JsonObject metadata = new JsonObject();
      metadata.addProperty("resourceVersion", job.getMetadata().getResourceVersion());
      document.add("metadata", metadata);
      api.patchStatus(CoreTypes.JOB, key, new MergePatch(document));
    } catch (KubernetesApiException.Conflict changed) {
      after(TRY_AGAIN, () -> lookAtJob(key));
    }
  }

  private void patch(ObjectKey job, String status) {
    try {
      api.patchStatus(CoreTypes.JOB, job, merge(status));
    } catch (KubernetesApiException.NotFound gone) {
      return;
    }
  }

  private static boolean suspended(V1Job job) {
    V1JobSpec spec = job.getSpec();
    return spec != null && Boolean.TRUE.equals(spec.getSuspend());
  }

  private static boolean runs(V1Job job) {
    V1JobStatus status = job.getStatus();
    return status != null && Objects.requireNonNullElse(status.getActive(), 0) > 0;
  }

  static boolean complete(V1Job job) {
    V1JobStatus status = job.getStatus();
    return status != null
        && status.getConditions() != null
        && status.getConditions().stream()
            .anyMatch(condition -> condition.getType().equals("Complete"));
  }

  private static JsonObject parse(String lenientJson) {
    return JsonParser.parseString(lenientJson).getAsJsonObject();
  }

  private static MergePatch merge(String lenientJson) {
    return new MergePatch(parse(lenientJson));
  }

  @Override
  public void close() {
    informers.close();
    threads.shutdownNow();
  }
}
