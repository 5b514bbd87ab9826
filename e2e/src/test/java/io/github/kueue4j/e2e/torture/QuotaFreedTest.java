// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.ClusterWait;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.observer.Frame;
import io.github.kueue4j.e2e.observer.Recorder;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.testdefaults.Notices;
import io.github.kueue4j.testdefaults.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two Workloads, quota for one. A Retry on the first gives its quota to the second, however long
 * the delay: with the patch that sees the Retry, not when the delay is over.
 */
class QuotaFreedTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final ObjectKey FIRST = new ObjectKey(TortureCluster.NAMESPACE, "first");
  private static final ObjectKey SECOND = new ObjectKey(TortureCluster.NAMESPACE, "second");

  static Stream<Arguments> clustersAndDelays() {
    return Stream.of(ScenarioCluster.values())
        .flatMap(
            cluster ->
                Stream.of(
                        Optional.<Integer>empty(),
                        Optional.of(0),
                        Optional.of(60),
                        Optional.of(600))
                    .map(delay -> Arguments.of(cluster, delay.orElse(null))));
  }

  @ParameterizedTest
  @MethodSource("clustersAndDelays")
  void theNextWorkloadGetsTheQuotaAtOnce(ScenarioCluster kind, @Nullable Integer delay)
      throws InterruptedException {
    try (TimeSource time = TimeSource.system();
        Cluster cluster = kind.start(time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("scenario")) {
      KubernetesApi api = connection.api();
      ClusterWait wait = ClusterWait.on(api, PATIENCE);
      Definitions.installKueueUnconverted(api);
      TortureCluster.create(api, 1, List.of("check"), time.instant());
      try (Recorder recorder =
              Recorder.start(connection, time, TortureCluster.NAMESPACE, frame -> {});
          RunningCore core =
              RunningCore.start(
                  Target.of(cluster.kubeconfig()), Playground.quietConfiguration(), time)) {
        wait.until("the core leads", core::leading);
        create(api, FIRST);
        wait.until(
            FIRST + " has the quota",
            () -> last(recorder, FIRST).filter(Frame::reserved).isPresent());
        create(api, SECOND);
        wait.until(
            SECOND + " waits for it",
            () -> last(recorder, SECOND).filter(Frame::waitsForQuota).isPresent());

        long said = retry(api, delay, time.instant());

        wait.until(
            SECOND + " has the quota",
            () -> last(recorder, SECOND).filter(Frame::reserved).isPresent());
        check(recorder.frames(), said, delay);
      }
    }
  }

  private static void check(List<Frame> frames, long said, @Nullable Integer delay) {
    Frame retry =
        frames.stream().filter(frame -> frame.version() == said).findFirst().orElseThrow();
    Frame reserved =
        frames.stream()
            .filter(frame -> frame.key().equals(SECOND) && frame.reserved())
            .findFirst()
            .orElseThrow();
    List<Frame> between =
        frames.stream()
            .filter(frame -> frame.version() > said && frame.version() < reserved.version())
            .toList();
    Notices.nightly(
        "quota freed after a Retry with delay %s: %d ms, %d patches before the next reservation"
            .formatted(
                delay == null ? "none" : delay + " s",
                Duration.between(retry.seenAt(), reserved.seenAt()).toMillis(),
                between.size()));
    // The release, and what a delay that is over at once makes of the first: it is in the queue
    // again, and is told why it waits.
    assertThat(between).extracting(Frame::key).containsOnly(FIRST);
    assertThat(between).noneMatch(Frame::reserved);
    assertThat(between).hasSizeLessThanOrEqualTo(delay == null || delay == 0 ? 3 : 1);
    if (delay != null && delay > 0) {
      Instant requeueAt = Objects.requireNonNull(between.getFirst().requeueAt());
      assertThat(reserved.reservedSince()).isBefore(requeueAt);
    }
  }

  private static void create(KubernetesApi api, ObjectKey key) {
    Manifests.parse(TortureCluster.workload(key.name(), 1)).createIn(api);
  }

  /** Says Retry and returns the version that this made. */
  private static long retry(KubernetesApi api, @Nullable Integer delay, Instant now) {
    Workload workload = api.get(KueueTypes.WORKLOAD, FIRST).orElseThrow();
    AdmissionCheckState entry =
        AdmissionCheckState.pending("check", now)
            .withState(CheckState.RETRY)
            .withMessage("not now")
            .withRequeueAfterSeconds(delay);
    Workload written =
        api.patchStatus(KueueTypes.WORKLOAD, FIRST, RawPatches.entryIfUnchanged(workload, entry));
    return Long.parseLong(Objects.requireNonNull(written.metadata().getResourceVersion()));
  }

  private static Optional<Frame> last(Recorder recorder, ObjectKey key) {
    return recorder.frames().stream()
        .filter(frame -> frame.key().equals(key))
        .reduce((first, second) -> second);
  }
}
