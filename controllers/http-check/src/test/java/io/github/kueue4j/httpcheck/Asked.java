// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.BackendReport;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** What the controller asks the check. */
final class Asked {
  static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");

  private Asked() {}

  /** A check that sends by these, on a clock that stands still. */
  static HttpCheck check(HttpBackends backends) {
    return new HttpCheck(
        backends, BackendReport.unread(), new RequestPace(InstantSource.fixed(NOW)));
  }

  /** About a Workload of this many pods, whose container has a secret in its environment. */
  static Evaluation<HttpCheckSpec> about(int pods, HttpCheckSpec spec) {
    Map<String, Quantity> requests =
        Map.of("cpu", Quantity.of(2L * pods), "nvidia.com/gpu", Quantity.of(pods));
    AdmissionCheckState entry = AdmissionCheckState.pending("gate", NOW).withRetryCount(2);
    Workload plain =
        Evaluations.reserved(
            "team-a",
            "train",
            new PodSetAssignment("main", Map.of("cpu", "spot"), requests, pods),
            entry,
            NOW);
    plain
        .metadata()
        .putLabelsItem("team", "a")
        .putAnnotationsItem("cost-center", "17")
        .putAnnotationsItem("private", "geheim");
    Workload workload = plain.withSpec(plain.spec().withQueueName("q").withPriority(5));
    V1PodTemplateSpec template =
        new V1PodTemplateSpec()
            .metadata(
                new V1ObjectMeta()
                    .putAnnotationsItem("cost-center", "18")
                    .putAnnotationsItem("project", "ml")
                    .putAnnotationsItem("secret", "geheim"))
            .spec(
                new V1PodSpec()
                    .addContainersItem(
                        new V1Container()
                            .name("main")
                            .addEnvItem(new V1EnvVar().name("PASSWORD").value("geheim"))));
    return Evaluations.of(
        workload,
        entry,
        spec,
        new AssignedPodSet(
            "main",
            pods,
            template,
            requests,
            Map.of("cpu", new AssignedFlavor("spot", Map.of(), List.of()))),
        NOW);
  }
}
