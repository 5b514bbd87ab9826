// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.crds;

import static io.github.kueue4j.testkit.crds.Yaml.object;
import static io.github.kueue4j.testkit.crds.Yaml.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.schema.CompiledSchema;
import io.github.kueue4j.apiserver.schema.SchemaCompilation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that the CRDs of the API module refuse, each with a similar one that they accept. */
class KueueCrdsTest {

  private static final Map<ResourceType<?>, CompiledSchema> SCHEMAS = new ConcurrentHashMap<>();

  private static final String RESERVED =
      "conditions: [{type: QuotaReserved, status: 'True', reason: R, message: '',"
          + " lastTransitionTime: '2026-01-01T00:00:00Z'}]";
  private static final String ADMITTED = RESERVED.replace("QuotaReserved", "Admitted");
  private static final String POD_REF =
      "priority: 1, priorityClassRef: {group: scheduling.k8s.io, kind: PriorityClass, name: %s}";
  private static final String WORKLOAD_REF =
      "priority: 1, priorityClassRef:"
          + " {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: %s}";

  static Stream<ResourceType<? extends ApiObject>> types() {
    return Stream.concat(KueueTypes.ALL.stream(), Stream.of(KueueTypes.PROVISIONING_REQUEST));
  }

  private static CompiledSchema schema(ResourceType<? extends ApiObject> type) {
    return SCHEMAS.computeIfAbsent(
        type,
        key -> {
          ObjectNode crd = object(Crds.of(type));
          ObjectNode schema = (ObjectNode) crd.at("/spec/versions/0/schema/openAPIV3Schema");
          return switch (CompiledSchema.compile(schema, "schema")) {
            case SchemaCompilation.Compiled compiled -> compiled.schema();
            case SchemaCompilation.Refused refused ->
                throw new AssertionError(type + ": " + texts(refused.errors()));
          };
        });
  }

  private static List<String> errors(
      ResourceType<? extends ApiObject> type, String before, String after) {
    CompiledSchema schema = schema(type);
    ObjectNode old = before.isEmpty() ? null : schema.applyDefaults(schema.prune(object(before)));
    return texts(schema.validate(schema.applyDefaults(schema.prune(object(after))), old));
  }

  @ParameterizedTest
  @MethodSource("types")
  void theSchemaCompilesAndTakesTheEmptiestObject(ResourceType<? extends ApiObject> type) {
    assertThat(errors(type, "", EMPTIEST.getOrDefault(type, "spec: {}"))).isEmpty();
  }

  private static final Map<ResourceType<?>, String> EMPTIEST =
      Map.of(
          KueueTypes.WORKLOAD_PRIORITY_CLASS, "value: 0",
          KueueTypes.ADMISSION_CHECK, "spec: {controllerName: a}",
          KueueTypes.PROVISIONING_REQUEST_CONFIG, "spec: {provisioningClassName: a}",
          KueueTypes.PROVISIONING_REQUEST,
              "spec: {provisioningClassName: a, podSets: [{count: 1, podTemplateRef: {name: a}}]}");

  private static Arguments row(
      ResourceType<? extends ApiObject> type,
      String before,
      String accepted,
      String refused,
      String message) {
    return Arguments.of(type, before, accepted, refused, message);
  }

  private static String podSet(String more) {
    return "spec: {podSets: [{template: {spec: {containers: []}}, " + more + "}]}";
  }

  private static String reserved(String spec) {
    return "spec: {" + spec + "}\nstatus: {" + RESERVED + "}";
  }

  private static String entry(String more) {
    return "status: {admissionChecks: [{name: a, state: Pending, message: '',"
        + " lastTransitionTime: '2026-01-01T00:00:00Z', "
        + more
        + "}]}";
  }

  private static String tolerations(String list) {
    return "spec: {tolerations: [" + list + "]}";
  }

  private static String quotas(String spec, String quota) {
    return "spec: {"
        + spec
        + " resourceGroups: [{coveredResources: [cpu], flavors: [{name: a, resources: ["
        + quota
        + "]}]}]}";
  }

  static Stream<Arguments> workloads() {
    return Stream.of(
        row(
            KueueTypes.WORKLOAD,
            "",
            podSet("minCount: 3, count: 3"),
            podSet("minCount: 3, count: 2"),
            "minCount must not exceed count"),
        row(KueueTypes.WORKLOAD, "", podSet("count: 0"), podSet("count: -1"), "count"),
        row(
            KueueTypes.WORKLOAD,
            "",
            podSet("name: a"),
            "spec: {podSets: [{name: a, template: {}}, {name: a, template: {}}]}",
            "Duplicate value"),
        row(
            KueueTypes.WORKLOAD,
            "",
            "spec: {" + POD_REF.formatted("a") + "}",
            "spec: {" + POD_REF.formatted("a").replace("priority: 1, ", "") + "}",
            "priorityClassRef needs priority"),
        row(
            KueueTypes.WORKLOAD,
            "",
            "spec: {" + WORKLOAD_REF.formatted("a") + "}",
            "spec: {" + WORKLOAD_REF.formatted("a").replace("kind: Workload", "kind: ") + "}",
            "has the kind WorkloadPriorityClass"),
        row(
            KueueTypes.WORKLOAD,
            "",
            "spec: {" + POD_REF.formatted("a") + "}",
            "spec: {" + POD_REF.formatted("a").replace("kind: P", "kind: WorkloadP") + "}",
            "has the kind PriorityClass"),
        row(
            KueueTypes.WORKLOAD,
            reserved(POD_REF.formatted("a")),
            reserved(POD_REF.formatted("a").replace("priority: 1", "priority: 2")),
            reserved("priority: 1"),
            "priorityClassRef is immutable"),
        row(
            KueueTypes.WORKLOAD,
            reserved(POD_REF.formatted("a")),
            reserved(POD_REF.formatted("a")),
            reserved(WORKLOAD_REF.formatted("a")),
            "priorityClassRef is immutable"),
        row(
            KueueTypes.WORKLOAD,
            reserved(POD_REF.formatted("a")),
            reserved(POD_REF.formatted("a")),
            reserved(POD_REF.formatted("b")),
            "priorityClassRef is immutable"),
        row(
            KueueTypes.WORKLOAD,
            reserved("queueName: a"),
            "spec: {queueName: b}",
            reserved("queueName: b"),
            "queueName is immutable"),
        row(
            KueueTypes.WORKLOAD,
            reserved("maximumExecutionTimeSeconds: 1").replace(RESERVED, ADMITTED),
            reserved("maximumExecutionTimeSeconds: 2"),
            reserved("maximumExecutionTimeSeconds: 2").replace(RESERVED, ADMITTED),
            "maximumExecutionTimeSeconds is immutable"),
        row(
            KueueTypes.WORKLOAD,
            "",
            podSet("count: 1")
                + "\nstatus: {admission: {clusterQueue: a, podSetAssignments: [{}]}, "
                + RESERVED
                + "}",
            podSet("count: 1") + "\nstatus: {admission: {clusterQueue: a}, " + RESERVED + "}",
            "each pod set of the spec"),
        row(KueueTypes.WORKLOAD, "", entry("retryCount: 0"), entry("retryCount: -1"), "retryCount"),
        row(
            KueueTypes.WORKLOAD,
            "",
            entry("requeueAfterSeconds: 0"),
            entry("requeueAfterSeconds: -1"),
            "requeueAfterSeconds"),
        row(
            KueueTypes.WORKLOAD,
            "",
            entry("preemptionRequested: true"),
            entry("retryCount: 1").replace("Pending", "Someday"),
            "Unsupported value"),
        row(
            KueueTypes.WORKLOAD,
            "status: {clusterName: a}",
            "status: {clusterName: a}",
            "status: {clusterName: b}",
            "immutable once set"));
  }

  static Stream<Arguments> queues() {
    return Stream.of(
        row(
            KueueTypes.CLUSTER_QUEUE,
            "",
            quotas("cohortName: c,", "{name: cpu, nominalQuota: 1, borrowingLimit: 1500m}"),
            quotas("", "{name: cpu, nominalQuota: 1, borrowingLimit: 1500m}"),
            "borrowingLimit needs a cohortName"),
        row(
            KueueTypes.CLUSTER_QUEUE,
            "",
            quotas("", "{name: cpu, nominalQuota: 1Ei}"),
            quotas("", "{name: cpu, nominalQuota: 1ei}"),
            "nominalQuota"),
        row(
            KueueTypes.COHORT,
            "",
            quotas("", "{name: cpu, nominalQuota: 1}"),
            quotas("", "{name: cpu, nominalQuota: 1}, {name: gpu, nominalQuota: 1}"),
            "a quota for each of coveredResources"),
        row(
            KueueTypes.CLUSTER_QUEUE,
            "",
            "spec: {flavorFungibility: {preference: BorrowingOverPreemption,"
                + " whenCanBorrow: TryNextFlavor}}",
            "spec: {flavorFungibility: {preference: BorrowingOverPreemption}}",
            "preference needs"),
        row(
            KueueTypes.CLUSTER_QUEUE,
            "",
            "spec: {preemption: {reclaimWithinCohort: Any,"
                + " borrowWithinCohort: {policy: LowerPriority}}}",
            "spec: {preemption: {borrowWithinCohort: {policy: LowerPriority}}}",
            "borrowWithinCohort needs"),
        row(
            KueueTypes.CLUSTER_QUEUE,
            "",
            "spec: {waitForPodsReady: {timeout: 1h30m, recoveryTimeout: 0s}}",
            "spec: {waitForPodsReady: {timeout: 5 minutes}}",
            "timeout"),
        row(
            KueueTypes.LOCAL_QUEUE,
            "spec: {clusterQueue: a}",
            "spec: {clusterQueue: a, stopPolicy: Hold}",
            "spec: {clusterQueue: b}",
            "clusterQueue is immutable"));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        row(
            KueueTypes.ADMISSION_CHECK,
            "spec: {controllerName: a}",
            "spec: {controllerName: a, pendingTimeoutSeconds: 1}",
            "spec: {controllerName: b}",
            "controllerName is immutable"),
        row(
            KueueTypes.ADMISSION_CHECK,
            "",
            retry("strategy: Backoff, baseDelay: 90s, maxDelay: 1h30m, factor: 1.5"),
            retry("strategy: Backoff, baseDelay: 90s, maxDelay: 1m"),
            "maxDelay must not be shorter"),
        row(
            KueueTypes.ADMISSION_CHECK,
            "",
            retry("baseDelay: 90s"),
            retry("baseDelay: 90s, maxDelay: 1h"),
            "write strategy: Backoff, or leave out maxDelay and factor"),
        row(
            KueueTypes.ADMISSION_CHECK,
            "",
            retry("strategy: Backoff, baseDelay: 90s, factor: 2"),
            retry("strategy: Static, baseDelay: 90s, factor: 2"),
            "write strategy: Backoff, or leave out maxDelay and factor"),
        row(
            KueueTypes.ADMISSION_CHECK,
            "",
            retry("strategy: Static, baseDelay: 0s"),
            retry("strategy: Backoff, baseDelay: 0s, factor: 4"),
            "longer than 0s"),
        row(
            KueueTypes.ADMISSION_CHECK,
            "",
            retry("baseDelay: 1s, jitter: 1"),
            retry("baseDelay: 1s, jitter: 1.1"),
            "jitter"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            tolerations("{operator: Exists}"),
            tolerations("{effect: NoSchedule}"),
            "without key"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            tolerations("{key: a, effect: NoExecute, tolerationSeconds: 1}"),
            tolerations("{key: a, tolerationSeconds: 1}"),
            "tolerationSeconds needs"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            tolerations("{key: a, operator: Equal}"),
            tolerations("{key: a, operator: Near}"),
            "operator must be"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            tolerations("{key: a, value: b}"),
            tolerations("{key: a, operator: Exists, value: b}"),
            "has no value"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            tolerations("{key: a, effect: NoSchedule}"),
            tolerations("{key: a, effect: Never}"),
            "effect must be"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            "spec: {nodeTaints: [{key: a, effect: NoSchedule}]}",
            "spec: {nodeTaints: [{key: a, effect: Never}]}",
            "effect must be"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "spec: {topologyName: a, nodeLabels: {a: b}}",
            "spec: {topologyName: a, nodeLabels: {a: c}}",
            "spec: {nodeLabels: {a: b}}",
            "topologyName is immutable"),
        row(
            KueueTypes.RESOURCE_FLAVOR,
            "",
            "spec: {topologyName: a, nodeLabels: {a: b}}",
            "spec: {topologyName: a}",
            "topologyName needs"),
        row(
            KueueTypes.PROVISIONING_REQUEST,
            "spec: {provisioningClassName: a, podSets: [{count: 1, podTemplateRef: {name: a}}]}",
            "spec: {provisioningClassName: a, podSets: [{count: 1, podTemplateRef: {name: a}}]}",
            "spec: {provisioningClassName: a, podSets: [{count: 2, podTemplateRef: {name: a}}]}",
            "podSets is immutable"));
  }

  private static String retry(String fields) {
    return "spec: {controllerName: a, retry: {%s}}".formatted(fields);
  }

  @ParameterizedTest
  @MethodSource({"workloads", "queues", "others"})
  void aRuleRefusesWhatItShouldAndNoMore(
      ResourceType<? extends ApiObject> type,
      String before,
      String accepted,
      String refused,
      String message) {
    assertThat(errors(type, before, accepted)).isEmpty();
    assertThat(errors(type, before, refused))
        .filteredOn(text -> !text.contains("some validation rules were not checked"))
        .singleElement()
        .asString()
        .containsIgnoringCase(message);
  }

  @Test
  void aWorkloadPriorityClassMayChangeWhileReserved() {
    assertThat(
            errors(
                KueueTypes.WORKLOAD,
                reserved(WORKLOAD_REF.formatted("a")),
                reserved(WORKLOAD_REF.formatted("b"))))
        .isEmpty();
  }

  @Test
  void defaultsAreFilledInAtEveryLevel() {
    ObjectNode queue = schema(KueueTypes.CLUSTER_QUEUE).applyDefaults(object("spec: {}"));

    assertThat(queue.at("/spec"))
        .isEqualTo(
            object(
                """
                queueingStrategy: BestEffortFIFO
                stopPolicy: None
                flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor}
                preemption: {reclaimWithinCohort: Never, withinClusterQueue: Never,
                  borrowWithinCohort: {policy: Never}}
                """));
  }

  @Test
  void podTemplatesKeepWhatTheSchemaDoesNotKnow() {
    String workload =
        """
        spec:
          podSets:
          - name: a
            count: 1
            template:
              metadata: {name: n, namespace: o, labels: {a: b}, annotations: {c: d}, finalizers: [e/f]}
              spec:
                containers:
                - {name: c, newField: {x: 1}, resources: {limits: {cpu: 1}, claims: [{name: z}]}}
                hostNetwork: true
                affinity: {nodeAffinity: {}}
        """;

    assertThat(schema(KueueTypes.WORKLOAD).prune(object(workload))).isEqualTo(object(workload));
    assertThat(schema(KueueTypes.WORKLOAD).unknownFields(object("spec: {news: 1}")))
        .containsExactly("spec.news");
  }
}
