// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.informer.InformersRest;
import io.github.kueue4j.simulation.SimulatedCluster;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A recording of a {@link TestCluster} in memory, and the Jobs that run there by a plan. */
final class RecordedCluster implements AutoCloseable {
  private static final long BOUND = 16 * 1024 * 1024;

  private final TestCluster cluster;
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private @Nullable ClusterConnection connection;
  private @Nullable RecordingWriter writer;
  private @Nullable Recorder recorder;
  private final InformersRest rest;
  private final TreeMap<String, Duration> lengths = new TreeMap<>();
  private final TreeMap<String, Instant> started = new TreeMap<>();
  private final Set<String> done = new HashSet<>();

  /** Nothing is recorded yet. */
  RecordedCluster(TestCluster cluster) {
    this.cluster = cluster;
    this.rest = new InformersRest(cluster.server, cluster.api);
  }

  /** Begins to record. */
  RecordedCluster start() throws InterruptedException {
    cluster.settle();
    Instant from = cluster.time.instant();
    connection = SimulatedCluster.connection("recorder", cluster.server).connect();
    writer = new RecordingWriter(file, BOUND, from, Optional.empty());
    recorder = Recorder.start(connection, writer, from, cluster.time, () -> {});
    return this;
  }

  /** A Job of the LocalQueue {@code lq} that runs for so long once it is started. */
  void job(String name, int cpus, Duration length, String labels) {
    lengths.put(name, length);
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq%s}}
        spec:
          suspend: true
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              env: [{name: TOKEN, value: s3cr3t-marker}], args: [--password=s3cr3t-marker],
              resources: {requests: {cpu: %d}}}]}
        """
            .formatted(name, labels, cpus));
    settle();
  }

  /** Lets time pass: the Job controller starts, stops and ends the pods of the Jobs. */
  void pass(Duration duration) {
    settle();
    cluster.time.advance(duration);
    settle();
    for (String name : unfinished()) {
      controlPods(name);
      settle();
    }
  }

  /** Lets time pass, from one end of a Job to the next. */
  void run(Duration duration) {
    Instant end = cluster.time.instant().plus(duration);
    while (cluster.time.instant().isBefore(end)) {
      controlAllPods();
      cluster.time.advanceTo(
          unfinished().stream()
              .filter(started::containsKey)
              .map(job -> Objects.requireNonNull(started.get(job)).plus(lengths.get(job)))
              .filter(end::isAfter)
              .min(Comparator.naturalOrder())
              .orElse(end));
      settle();
    }
  }

  private void controlAllPods() {
    boolean changes = true;
    while (changes) {
      changes = false;
      for (String name : unfinished()) {
        if (controlPods(name)) {
          settle();
          changes = true;
        }
      }
    }
  }

  private List<String> unfinished() {
    return lengths.keySet().stream().filter(job -> !done.contains(job)).toList();
  }

  /** Whether pods of a Job were started, stopped or have ended. */
  private boolean controlPods(String name) {
    boolean suspended =
        Boolean.TRUE.equals(Objects.requireNonNull(cluster.job(name).getSpec()).getSuspend());
    Instant now = cluster.time.instant();
    Instant since = started.get(name);
    if (suspended && since != null) {
      started.remove(name);
      cluster.podsGone(name);
    } else if (!suspended && since == null) {
      started.put(name, now);
      cluster.podsRun(name);
    } else if (since != null && !since.plus(lengths.get(name)).isAfter(now)) {
      done.add(name);
      cluster.jobSucceeds(name);
    } else {
      return false;
    }
    return true;
  }

  boolean allDone() {
    return done.size() == lengths.size();
  }

  void settle() {
    cluster.settle();
    Recorder running = recorder;
    if (running == null) {
      return;
    }
    await()
        .alias("the recorder has heard everything")
        .until(() -> rest.heardEverything(running.informers(), Set.of()));
  }

  /** Ends the recording. */
  byte[] end() {
    settle();
    Objects.requireNonNull(recorder).check();
    RecordingWriter whole = Objects.requireNonNull(writer);
    whole.end(cluster.time.instant(), "the test has ended it");
    whole.close();
    return file.toByteArray();
  }

  @Override
  public void close() {
    Objects.requireNonNull(recorder).close();
    Objects.requireNonNull(connection).close();
  }
}
