// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.jobs.testing.FromYaml;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the webhook makes of a new pod. */
class PodDefaultsTest {
  private static final String TAKEN =
      "add /metadata/labels/kueue.x-k8s.io~1managed \"true\"; "
          + "add /metadata/finalizers [\"kueue.x-k8s.io/managed\"]; "
          + "add /spec/schedulingGates [{\"name\":\"kueue.x-k8s.io/admission\"}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {labels: {kueue.x-k8s.io/queue-name: q}}                                                   | true
          {labels: {kueue.x-k8s.io/queue-name: ''}}                                                  | false
          {labels: {}}                                                                               | false
          {labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]}        | false
          {labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u}]}                          | true
          {labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]}  | true
          {labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: v1, kind: Pod, name: driver, uid: u, controller: true}]}         | true
          {labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: ex.com/v1, kind: Own, name: o, uid: u, controller: true}]}       | false
          {labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/podset: main}, ownerReferences: [{apiVersion: a/v1, kind: B, name: b, uid: u, controller: true}]} | false
          """)
  void itTakesThePodsThatNameAQueueAndBelongToNoJob(String metadata, boolean taken) {
    assertThat(changes("default", "{metadata: " + metadata + ", spec: {containers: []}}"))
        .isEqualTo(taken ? TAKEN : "");
    assertThat(changes("free", "{metadata: " + metadata + ", spec: {containers: []}}")).isEmpty();
  }

  /** As of a manifest that was read from a pod that has run, or of one that was restored. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/podset: main, kueue.x-k8s.io/job-uid: u}, annotations: {kueue.x-k8s.io/workload: w}} | remove /metadata/labels/kueue.x-k8s.io~1podset; remove /metadata/labels/kueue.x-k8s.io~1job-uid; remove /metadata/annotations/kueue.x-k8s.io~1workload
          """)
  void itTakesOffWhatAStartHasAdded(String metadata, String removed) {
    assertThat(changes("default", "{metadata: " + metadata + ", spec: {containers: []}}"))
        .isEqualTo(removed + "; " + TAKEN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {schedulingGates: [{name: kueue.x-k8s.io/admission}]} | ''
          {schedulingGates: [{name: own}]}                      | add /spec/schedulingGates [{"name":"own"},{"name":"kueue.x-k8s.io/admission"}]
          """)
  void otherGatesStay(String spec, String expected) {
    String metadata =
        "{labels: {kueue.x-k8s.io/queue-name: q}, finalizers: [kueue.x-k8s.io/managed]}";
    assertThat(changes("default", "{metadata: " + metadata + ", spec: " + spec + "}"))
        .isEqualTo(
            "add /metadata/labels/kueue.x-k8s.io~1managed \"true\""
                + (expected.isEmpty() ? "" : "; " + expected));
  }

  /** The operations of the patch. */
  private static String changes(String namespace, String pod) {
    Configuration configuration =
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations: {frameworks: [batch/job, pod], externalFrameworks: [Own.v1.ex.com]}
            """,
            Launch.plain("WorkloadPriorityClassDefaulting=false"));
    Reviewer reviewer =
        Objects.requireNonNull(
            new AdmissionRules(configuration, AdmissionRulesTest.BARE)
                .reviewers()
                .get("/mutate--v1-pod"));
    ReviewResult result =
        reviewer.review(
            new AdmissionRequest(
                namespace, JsonParser.parseString(FromYaml.json(pod)).getAsJsonObject(), null));
    return switch (result) {
      case ReviewResult.Allowed allowed -> text(allowed.patch());
      case ReviewResult.Refused refused -> throw new AssertionError(refused.toString());
    };
  }

  private static String text(JsonArray patch) {
    return String.join(
        "; ",
        patch.asList().stream()
            .map(each -> each.getAsJsonObject())
            .map(
                each ->
                    each.get("op").getAsString()
                        + " "
                        + each.get("path").getAsString()
                        + (each.has("value") ? " " + each.get("value") : ""))
            .toList());
  }
}
