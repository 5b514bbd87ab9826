// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.jobs.JobKind.StopWrite;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a plain pod, and written to it. */
class PlainPodTest {
  private static final PlainPod KIND = new PlainPod();

  private static V1Pod pod(String metadata, String spec, String status) {
    return FromYaml.read(
        V1Pod.class,
        """
        {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: team, uid: u, resourceVersion: "1",
            finalizers: [own, kueue.x-k8s.io/managed], labels: {app: x}, %s},
          spec: {containers: [{name: main, image: busybox, env: [{name: A, value: b}],
              resources: {requests: {cpu: 1}}}], nodeSelector: {zone: z}, %s},
          status: {%s}}
        """
            .formatted(metadata, spec, status));
  }

  private static final String GATED = "schedulingGates: [{name: kueue.x-k8s.io/admission}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                                                   | phase: Running                                                | ''
          ''                                                                                   | 'phase: Succeeded, message: fine'                             | Succeeded fine
          ''                                                                                   | phase: Failed                                                 | 'Failed '
          'deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30'          | phase: Running                                                | ''
          'deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0'           | phase: Running                                                | Failed The pod was deleted
          'deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0'           | phase: Succeeded                                              | 'Succeeded '
          """)
  void itHasEndedByItsPhaseOrOnceOnlyFinalizersKeepIt(
      String metadata, String status, String expected) {
    assertThat(
            KIND.finished(pod(metadata, "", status))
                .map(ended -> ended.reason() + " " + ended.message())
                .orElse(""))
        .isEqualTo(expected);
  }

  /** What a cache keeps is a part of the pod; what is written by it is the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "phase: Pending",
        "'phase': Running, conditions: [{type: Ready, status: 'True'}]",
        "phase: Running, conditions: [{type: TerminationTarget, status: 'True'}]",
        "phase: Failed, message: lost, reason: Evicted"
      })
  void asCachesKeepItItSaysAndWritesTheSame(String status) {
    for (String spec : List.of(GATED, "nodeName: n")) {
      V1Pod whole = pod("", spec, status);
      V1Pod kept = KIND.trimmed(pod("", spec, status));

      assertThat(Trimming.whole(KIND.podSets(kept))).isFalse();
      assertThat(Equivalence.same(KIND.podSets(whole), KIND.podSets(kept))).isTrue();
      List<Function<V1Pod, Object>> answers =
          List.of(
              KIND::manageable,
              KIND::podPriorityClass,
              KIND::refusal,
              KIND::finished,
              KIND::suspended,
              KIND::stopped,
              KIND::podsReady,
              KIND::progress,
              PlainPodTest::start,
              PlainPodTest::stop,
              PlainPodTest::release);
      answers.forEach(answer -> assertThat(answer.apply(kept)).isEqualTo(answer.apply(whole)));
    }
  }

  private static String start(V1Pod pod) {
    PodSetAdditions additions =
        new PodSetAdditions(
            "main",
            1,
            Map.of("kueue.x-k8s.io/podset", new PodSetAdditions.Addition("main", "core")),
            Map.of("kueue.x-k8s.io/workload", new PodSetAdditions.Addition("w", "core")),
            Map.of("flavor", new PodSetAdditions.Addition("default", "flavor")),
            List.of(new V1Toleration().key("spot").operator("Exists")),
            null);
    return switch (KIND.start(pod, List.of(additions))) {
      case JobKind.Start.Ready<V1Pod> ready -> patch(pod, ready.after());
      case JobKind.Start<V1Pod> other -> throw new AssertionError("not started: " + other);
    };
  }

  private static Optional<String> stop(V1Pod pod) {
    return KIND.nextStopStep(pod, KIND.podSets(pod))
        .map(
            step ->
                step.write()
                    + (step.write() == StopWrite.DELETION ? "" : patch(pod, step.after())));
  }

  private static Optional<String> release(V1Pod pod) {
    return KIND.released(pod).map(after -> patch(pod, after));
  }

  private static String patch(V1Pod before, V1Pod after) {
    return String.valueOf(GuardedPatch.between(before, after).patch());
  }
}
