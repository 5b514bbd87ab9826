// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.jobs.ChildJob;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class AdmissionRulesTest {
  private static final String CLUSTER_QUEUE = "/validate-kueue-x-k8s-io-v1beta2-clusterqueue";
  private static final String WORKLOAD = "/validate-kueue-x-k8s-io-v1beta2-workload";
  private static final String NEW_WORKLOAD = "/mutate-kueue-x-k8s-io-v1beta2-workload";
  private static final String NEW_JOB = "/mutate-batch-v1-job";
  private static final String SHRUNK =
      """
      {"metadata": {"name": "w"%s}, "spec": {"podSets": [
        {"name": "a", "minCount": 1, "count": 2, "template": {"spec": {"containers": []}}},
        {"name": "b", "minCount": 1, "count": %d, "template": {"spec": {"containers": []}}}]}}
      """;

  /** A cluster where everything but the namespace {@code free} is managed. */
  static final DefaultingContext BARE =
      new DefaultingContext() {
        @Override
        public boolean managesNamespace(String namespace) {
          return !namespace.equals("free");
        }

        @Override
        public boolean hasLocalQueue(String namespace, String name) {
          return false;
        }

        @Override
        public boolean hasWorkloadPriorityClass(String name) {
          return true;
        }

        @Override
        public boolean excludes(String clusterQueue, String namespace) {
          return clusterQueue.equals("strict") && namespace.equals("default");
        }

        @Override
        public Set<String> cohorts() {
          return Set.of("research", "all");
        }

        @Override
        public boolean managesOwner(String namespace, V1OwnerReference owner, ChildJob child) {
          return false;
        }

        @Override
        public boolean createsJobs(String apiVersion, String kind) {
          return false;
        }
      };

  private static ReviewResult ask(
      String configuration, String gates, String path, String object, @Nullable String old) {
    Configuration parsed =
        Configuration.parse(
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + configuration,
            Launch.plain(gates));
    return Objects.requireNonNull(new AdmissionRules(parsed, BARE).reviewers().get(path))
        .review(new AdmissionRequest("default", tree(object), old == null ? null : tree(old)));
  }

  private static ReviewResult ask(String gates, String path, String object, @Nullable String old) {
    return ask("", gates, path, object, old);
  }

  private static JsonObject tree(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static List<String> refused(ReviewResult reviewResult) {
    return switch (reviewResult) {
      case ReviewResult.Allowed allowed -> List.of();
      case ReviewResult.Refused refused ->
          refused.violations().stream().map(Violation::field).toList();
    };
  }

  private static List<String> warnings(ReviewResult reviewResult) {
    return switch (reviewResult) {
      case ReviewResult.Allowed allowed -> allowed.warnings();
      case ReviewResult.Refused refused ->
          throw new AssertionError("refused: " + refused.violations());
    };
  }

  private static String json(String yaml) {
    return KueueJson.toJson(new Yaml().load(yaml));
  }

  private static JsonArray patch(ReviewResult reviewResult) {
    return switch (reviewResult) {
      case ReviewResult.Allowed allowed -> allowed.patch();
      case ReviewResult.Refused refused ->
          throw new AssertionError("refused: " + refused.violations());
    };
  }

  /**
   * Of a Job that isn't queued for it, too; not where the key stands in its right place as well.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {annotations: {kueue.x-k8s.io/queue-name: q}} | {} | metadata.annotations[kueue.x-k8s.io/queue-name]
          {labels: {}} | {labels: {kueue.x-k8s.io/queue-name: q}} | spec.template.metadata.labels[kueue.x-k8s.io/queue-name]
          {labels: {kueue.x-k8s.io/queue-name: q}, annotations: {kueue.x-k8s.io/priority-class: high}} | {} | metadata.annotations[kueue.x-k8s.io/priority-class]
          {labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/job-min-parallelism: '2'}} | {} | metadata.labels[kueue.x-k8s.io/job-min-parallelism]
          {labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/prebuilt-workload-name: w}, annotations: {kueue.x-k8s.io/admission-gated-by: a.io/g}} | {} | metadata.annotations[kueue.x-k8s.io/admission-gated-by]
          {labels: {kueue.x-k8s.io/queue-name: q}, annotations: {kueue.x-k8s.io/prebuilt-workload-name: w, provreq.kueue.x-k8s.io/zone: a}} | {} | metadata.annotations[provreq.kueue.x-k8s.io/zone]
          {labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/prebuilt-workload-name: w, team: a}} | {} | metadata.labels[team] "a" is not copied
          {labels: {kueue.x-k8s.io/queue-name: q, team: a}, annotations: {kueue.x-k8s.io/admission-gated-by: a.io/g, provreq.kueue.x-k8s.io/zone: a}} | {} |
          {labels: {kueue.x-k8s.io/queue-name: q}} | {labels: {kueue.x-k8s.io/queue-name: q}} |
          """)
  void aKeyOfAJobInTheWrongPlaceIsWarnedOf(
      String metadata, String podMetadata, @Nullable String field) {
    String job =
        json("{metadata: %s, spec: {template: {metadata: %s}}}".formatted(metadata, podMetadata));
    String path = "/validate-batch-v1-job";

    String copied = "integrations: {labelKeysToCopy: [team]}\n";
    List<String> warnings = warnings(ask(copied, "", path, job, null));

    if (field == null) {
      assertThat(warnings).isEmpty();
    } else {
      assertThat(warnings).singleElement().asString().contains(field, "write it as a");
    }
    assertThat(warnings(ask("", path, job, job))).isEmpty();
  }

  /** Any other group's keys are its own affair, and so are those that only other cores read. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {labels: {kueue.x-k8s.io/queue-nam: q}} | {} | metadata.labels[kueue.x-k8s.io/queue-nam] | perhaps kueue.x-k8s.io/queue-name is meant
          {annotations: {kueue.x-k8s.io/job-min-paralelism: '2'}} | {} | metadata.annotations[kueue.x-k8s.io/job-min-paralelism] | perhaps kueue.x-k8s.io/job-min-parallelism is meant
          {labels: {kueue.x-k8s-io/queue-name: q}} | {} | metadata.labels[kueue.x-k8s-io/queue-name] | perhaps kueue.x-k8s.io/queue-name is meant
          {annotations: {kueue.x-k8s.io/qqqqqqqqqq: x}} | {} | metadata.annotations[kueue.x-k8s.io/qqqqqqqqqq] | look how it is spelled
          {} | {annotations: {kueue.x-k8s.io/podset-required-topolgy: x}} | spec.template.metadata.annotations[kueue.x-k8s.io/podset-required-topolgy] | perhaps kueue.x-k8s.io/podset-required-topology is meant
          {labels: {kueue.x-k8s.io/multikueue-origin: x, provreq.kueue.x-k8s.io/a: b, example.com/queue-nam: q, priority-clas: x}} | {labels: {kueue.x-k8s.io/pod-group-name: g}} | |
          """)
  void aMisspeltKeyOfAJobIsWarnedOf(
      String metadata, String podMetadata, @Nullable String field, @Nullable String remedy) {
    String job =
        json("{metadata: %s, spec: {template: {metadata: %s}}}".formatted(metadata, podMetadata));
    String path = "/validate-batch-v1-job";

    List<String> warnings = warnings(ask("", path, job, null));

    if (field == null) {
      assertThat(warnings).isEmpty();
    } else {
      assertThat(warnings).singleElement().asString().startsWith(field).endsWith(remedy);
    }
    assertThat(warnings(ask("", path, job, job))).isEmpty();
  }

  /** A manifest may be for several clusters, so that it is a warning and no refusal. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          clusterqueue | {admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}} | | spec.admissionScope has no effect: admission fair sharing is off (admissionFairSharing of the configuration)
          clusterqueue | {admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}} | admissionFairSharing: {} |
          clusterqueue | {admissionScope: {admissionMode: NoAdmissionFairSharing}} | |
          cohort       | {admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}} | | spec.admissionScope has no effect: admission fair sharing is off (admissionFairSharing of the configuration)
          clusterqueue | {fairSharing: {weight: 2}} | | spec.fairSharing.weight has no effect: neither fairSharing nor admissionFairSharing of the configuration is on
          cohort       | {fairSharing: {weight: 2}} | | spec.fairSharing.weight has no effect: neither fairSharing nor admissionFairSharing of the configuration is on
          clusterqueue | {fairSharing: {weight: 2}, cohortName: c} | fairSharing: {enable: true} |
          clusterqueue | {fairSharing: {weight: 2}} | fairSharing: {enable: true} | spec.fairSharing.weight has no effect: there is no cohortName
          cohort       | {fairSharing: {weight: 2}, parentName: c} | fairSharing: {enable: true} |
          cohort       | {fairSharing: {weight: 2}} | admissionFairSharing: {} | spec.fairSharing.weight has no effect: there is no parentName
          clusterqueue | {preemption: {reclaimWithinCohort: Any}, cohortName: c} | |
          clusterqueue | {preemption: {reclaimWithinCohort: Any}} | | spec.preemption.reclaimWithinCohort has no effect: there is no cohortName
          clusterqueue | {preemption: {borrowWithinCohort: {policy: LowerPriority}}} | | spec.preemption.borrowWithinCohort has no effect: there is no cohortName
          clusterqueue | {fairSharing: {weight: 1}} | |
          localqueue   | {fairSharing: {weight: 2}} | fairSharing: {enable: true} | spec.fairSharing.weight has no effect: admission fair sharing is off (admissionFairSharing of the configuration)
          localqueue   | {fairSharing: {weight: 2}} | admissionFairSharing: {} |
          localqueue   | {clusterQueue: open} | |
          localqueue   | {clusterQueue: strict} | | spec.clusterQueue "strict" admits no Workload of this queue: its namespaceSelector doesn't select the namespace default
          clusterqueue | {waitForPodsReady: {timeout: 1m}} | featureGates: {DisableWaitForPodsReady: true} | spec.waitForPodsReady has no effect: the feature gate DisableWaitForPodsReady is on
          clusterqueue | {waitForPodsReady: {timeout: 1m}} | |
          clusterqueue | {waitForPodsReady: {timeout: 0s}} | 'waitForPodsReady: {timeout: 5m}' | spec.waitForPodsReady.timeout has no effect: it isn't positive, so that 5m0s counts
          clusterqueue | {waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 7200}}} | | spec.waitForPodsReady.requeuingStrategy.backoffBaseSeconds has no effect: no delay is longer than backoffMaxSeconds, 3600
          clusterqueue | {waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 7200}}} | 'waitForPodsReady: {requeuingStrategy: {backoffMaxSeconds: 7200}}' |
          clusterqueue | {waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 7200, backoffMaxSeconds: 0}}} | |
          clusterqueue | {flavorFungibility: {whenCanPreempt: MayStopSearch}} | featureGates: {FlavorFungibility: false} | spec.flavorFungibility has no effect: the feature gate FlavorFungibility is off
          clusterqueue | {flavorFungibility: {whenCanPreempt: MayStopSearch}} | |
          clusterqueue | {flavorFungibility: {whenCanBorrow: MayStopSearch}} | featureGates: {FlavorFungibility: false} |
          clusterqueue | {preemption: {borrowWithinCohort: {maxPriorityThreshold: 3}}} | | spec.preemption.borrowWithinCohort.maxPriorityThreshold has no effect: policy is Never
          clusterqueue | {preemption: {borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 3}}, cohortName: c} | |
          clusterqueue | {preemption: {borrowWithinCohort: {policy: LowerPriority}}, cohortName: c} | fairSharing: {enable: true} | spec.preemption.borrowWithinCohort has no effect: fair shares decide (fairSharing of the configuration)
          """)
  void aFieldThatTheConfigurationSwitchesOffIsWarnedOf(
      String kind, String spec, @Nullable String configuration, @Nullable String warning) {
    String path = "/validate-kueue-x-k8s-io-v1beta2-" + kind;
    String keys = configuration == null ? "" : configuration + "\n";
    String object = json("{metadata: {name: q}, spec: " + spec + "}");

    assertThat(warnings(ask(keys, "", path, object, null)))
        .isEqualTo(warning == null ? List.of() : List.of(warning));
    assertThat(warnings(ask(keys, "", path, object, object))).as("said before").isEmpty();
  }

  /** A Cohort without an object is one, too, so that it is no more than a warning. */
  @ParameterizedTest
  @CsvSource({
    "clusterqueue, cohortName, reserch, research",
    "cohort, parentName, Research, research",
    "clusterqueue, cohortName, research, ",
    "clusterqueue, cohortName, training, ",
    "clusterqueue, cohortName, a, "
  })
  void aNameThatIsNearlyThatOfACohortIsWarnedOf(
      String kind, String field, String name, @Nullable String meant) {
    String path = "/validate-kueue-x-k8s-io-v1beta2-" + kind;
    String object = json("{metadata: {name: q}, spec: {%s: %s}}".formatted(field, name));

    assertThat(warnings(ask("", path, object, null)))
        .isEqualTo(
            meant == null
                ? List.of()
                : List.of(
                    "spec.%s \"%s\" names no Cohort that exists, and is one of its own; perhaps \"%s\" is meant"
                        .formatted(field, name, meant)));
    assertThat(warnings(ask("", path, object, object))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/validate-kueue-x-k8s-io-v1beta2-workload, priority-boost, PriorityBoost",
    "/validate-kueue-x-k8s-io-v1beta2-workload, admission-gated-by, AdmissionGatedBy",
    "/validate-batch-v1-job, admission-gated-by, AdmissionGatedBy",
    "/validate-batch-v1-job, job-min-parallelism, PartialAdmission",
  })
  void anAnnotationIsWarnedOfWhileItsGateIsOff(String path, String key, String gate) {
    String plain =
        "{metadata: {name: w, labels: {kueue.x-k8s.io/queue-name: q}%s},"
            + " spec: {parallelism: 2, podSets: []}}";
    String without = json(plain.formatted(""));
    String with = json(plain.formatted(", annotations: {kueue.x-k8s.io/" + key + ": '1'}"));

    assertThat(warnings(ask(gate + "=false", path, with, without)))
        .isEqualTo(warnings(ask(gate + "=false", path, with, null)))
        .singleElement()
        .asString()
        .startsWith("metadata.annotations[kueue.x-k8s.io/" + key + "]")
        .contains("has no effect: the feature gate " + gate + " is off");
    assertThat(warnings(ask(gate + "=false", path, with, with))).isEmpty();
    assertThat(warnings(ask(gate + "=true", path, with, null))).isEmpty();
  }

  @Test
  void anUpdateMayKeepAnExistingViolation() {
    String wrong = SHRUNK.formatted("", 2);

    assertThat(refused(ask("", WORKLOAD, wrong, null))).containsExactly("spec.podSets[1].minCount");
    assertThat(refused(ask("", WORKLOAD, wrong, wrong))).isEmpty();
    assertThat(refused(ask("", WORKLOAD, SHRUNK.formatted("", 3), wrong))).isEmpty();
    assertThat(
            refused(
                ask("", WORKLOAD, wrong, wrong.replace("\"name\": \"b\", \"minCount\": 1,", ""))))
        .isNotEmpty();
  }

  @Test
  void anExistingViolationIsRecognizedAtAnotherPosition() {
    String flavor =
        """
        {"name": "%s", "resources": [{"name": "cpu", "nominalQuota": "1", "lendingLimit": "%s"}]}
        """;
    String queue =
        """
        {"metadata": {"name": "q"}, "spec": {"cohortName": "c", "resourceGroups": [
          {"coveredResources": ["cpu"], "flavors": [%s]}]}}
        """;
    String before = queue.formatted(flavor.formatted("a", 1) + "," + flavor.formatted("b", 2));
    String moved = queue.formatted(flavor.formatted("b", 2) + "," + flavor.formatted("a", 1));
    String another = queue.formatted(flavor.formatted("a", 2) + "," + flavor.formatted("b", 2));
    String other = queue.formatted(flavor.formatted("b", 1) + "," + flavor.formatted("a", 2));

    assertThat(refused(ask("", CLUSTER_QUEUE, moved, before))).isEmpty();
    assertThat(refused(ask("", CLUSTER_QUEUE, another, before)))
        .containsExactly("spec.resourceGroups[0].flavors[0].resources[0].lendingLimit");
    assertThat(refused(ask("", CLUSTER_QUEUE, other, before)))
        .containsExactly("spec.resourceGroups[0].flavors[1].resources[0].lendingLimit");
  }

  @Test
  void anObjectThatIsBeingDeletedIsNotValidated() {
    String deleting = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";

    assertThat(refused(ask("", WORKLOAD, SHRUNK.formatted(deleting, 2), null))).isEmpty();
  }

  @Test
  void checksOnMissingFlavorsAreAllowedUnlessTheGateRefusesThem() {
    String queue =
        """
        {"metadata": {"name": "q"}, "spec": {"stopPolicy": "%s", "admissionChecksStrategy": {
          "admissionChecks": [{"name": "c", "onFlavors": ["gone"]}]}}}
        """;
    String gate = "RejectUpdatesToCQWithInvalidOnFlavors=true";

    assertThat(refused(ask("", CLUSTER_QUEUE, queue.formatted("Hold"), queue.formatted("None"))))
        .isEmpty();
    assertThat(refused(ask(gate, CLUSTER_QUEUE, queue.formatted("Hold"), queue.formatted("None"))))
        .containsExactly("spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]");
  }

  @Test
  void featureGatesDisableRules() {
    String negative =
        """
        {"metadata": {"name": "w"}, "spec": {"podSets": [{"template": {
          "metadata": {"labels": {"a b": ""}}, "spec": {"containers": [
            {"name": "c", "resources": {"requests": {"cpu": "-1"}}}]}}}]}}
        """;

    assertThat(refused(ask("", WORKLOAD, negative, null))).hasSize(2);
    assertThat(
            refused(
                ask(
                    "WorkloadValidateResourcesAreNonNegative=false,"
                        + "WorkloadValidationForPodSetMetadata=false",
                    WORKLOAD,
                    negative,
                    null)))
        .isEmpty();
  }

  @Test
  void withoutPartialAdmissionMinCountIsRemoved() {
    assertThat(patch(ask("", NEW_WORKLOAD, SHRUNK.formatted("", 2), null))).isEmpty();
    ReviewResult off = ask("PartialAdmission=false", NEW_WORKLOAD, SHRUNK.formatted("", 2), null);
    assertThat(patch(off).toString())
        .isEqualTo(
            "[{\"op\":\"remove\",\"path\":\"/spec/podSets/0/minCount\"},"
                + "{\"op\":\"remove\",\"path\":\"/spec/podSets/1/minCount\"}]");
    assertThat(warnings(off))
        .hasSize(2)
        .contains("spec.podSets[1].minCount is removed: the feature gate PartialAdmission is off");
  }

  @Test
  void jobsWithoutAQueueAreSuspendedIfTheConfigurationManagesThem() {
    String job = "{\"metadata\": {\"name\": \"j\"}, \"spec\": {}}";

    assertThat(patch(ask("", NEW_JOB, job, null))).isEmpty();
    assertThat(patch(ask("manageJobsWithoutQueueName: true\n", "", NEW_JOB, job, null)).toString())
        .contains("\"/spec/suspend\"", "\"/metadata/labels\"", "kueue.x-k8s.io~1priority-class");
    assertThat(
            patch(
                    ask(
                        "manageJobsWithoutQueueName: true\n",
                        "WorkloadPriorityClassDefaulting=false",
                        NEW_JOB,
                        job,
                        null))
                .toString())
        .isEqualTo("[{\"op\":\"add\",\"path\":\"/spec/suspend\",\"value\":true}]");
  }

  @ParameterizedTest
  @CsvSource({
    "kubeflow.org/pytorchjob, kubeflow-org-v1-pytorchjob, /spec/runPolicy/suspend",
    "ray.io/rayjob, ray-io-v1-rayjob, /spec/suspend",
    "own.example.com/run, own-example-com-v1-run, /spec/paused"
  })
  void aDeclaredKindIsSuspendedWhereItsDeclarationSays(
      String framework, String path, String field) {
    String managed =
        """
        integrations: {frameworks: [%s]}
        kueue4j:
          jobKinds:
            - framework: own.example.com/run
              apiVersion: own.example.com/v1
              kind: Run
              suspend: spec.paused
              podSets: [{name: main, template: spec.template}]
        """
            .formatted(framework.startsWith("own") ? "batch/job" : framework);
    String job =
        """
        {"metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "a"}}, "spec": {
          "runPolicy": {}, "rayClusterConfig": {}}}
        """;

    String gate = "WorkloadPriorityClassDefaulting=false";
    assertThat(patch(ask(managed, gate, "/mutate-" + path, job, null)).toString())
        .isEqualTo("[{\"op\":\"add\",\"path\":\"" + field + "\",\"value\":true}]");
    assertThat(refused(ask(managed, "", "/validate-" + path, job, null)))
        .as("it has no pods")
        .containsExactly("spec");
  }

  /** Nothing that a user wrote is replaced by a suspension; the review refuses it. */
  @ParameterizedTest
  @CsvSource({"'\"all\"'", "'{\"runPolicy\": 3}'", "[]", "'{\"runPolicy\": []}'"})
  void aTextInPlaceOfAnObjectIsRefused(String spec) {
    String job =
        """
        {"metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "a"}}, "spec": %s}
        """
            .formatted(spec);
    String managed = "integrations: {frameworks: [kubeflow.org/pytorchjob]}\n";
    String gate = "WorkloadPriorityClassDefaulting=false";

    assertThat(patch(ask(managed, gate, "/mutate-kubeflow-org-v1-pytorchjob", job, null)))
        .isEmpty();
    assertThat(ask(managed, "", "/validate-kubeflow-org-v1-pytorchjob", job, null))
        .isInstanceOfSatisfying(
            ReviewResult.Refused.class,
            refused ->
                assertThat(refused.violations())
                    .singleElement()
                    .satisfies(
                        violation ->
                            assertThat(violation.toString())
                                .contains("; write an object, for spec.runPolicy.suspend")));
  }

  @Test
  void aKindThatIsNotManagedIsNotReviewed() {
    String job =
        """
        {"metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "A b"}}, "spec": {}}
        """;
    String none = "integrations: {frameworks: [jobset.x-k8s.io/jobset]}\n";

    assertThat(refused(ask("", "", "/validate-batch-v1-job", job, null))).hasSize(1);
    assertThat(refused(ask(none, "", "/validate-batch-v1-job", job, null))).isEmpty();
    assertThat(patch(ask(none, "", NEW_JOB, job, null))).isEmpty();
  }
}
