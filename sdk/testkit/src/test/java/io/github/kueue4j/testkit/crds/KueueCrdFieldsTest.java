// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.crds;

import static io.github.kueue4j.testkit.crds.Yaml.object;
import static io.github.kueue4j.testkit.crds.Yaml.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.patch.Patches;
import io.github.kueue4j.apiserver.schema.CompiledSchema;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.schema.SchemaCompilation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults of the shipped CRDs, and the field that each refusal blames. */
class KueueCrdFieldsTest {

  private static final Map<String, CompiledSchema> SCHEMAS = new HashMap<>();

  private static final Map<String, String> GOOD =
      Map.of(
          "Workload",
          "{spec: {podSets: [{name: main, template: {spec: {containers: [{name: c, image: i}]}}}]}}",
          "ClusterQueue",
          """
          spec:
            cohortName: c
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: default, resources: [{name: cpu, nominalQuota: 9}]}]
          """,
          "LocalQueue",
          "{spec: {clusterQueue: cq}}",
          "Cohort",
          "{spec: {parentName: root}}",
          "ResourceFlavor",
          "{spec: {nodeLabels: {a: b}}}",
          "AdmissionCheck",
          "{spec: {controllerName: example.com/c}}",
          "WorkloadPriorityClass",
          "{value: 5}",
          "ProvisioningRequestConfig",
          "{spec: {provisioningClassName: queued}}",
          "ProvisioningRequest",
          "{spec: {provisioningClassName: q, podSets: [{count: 1, podTemplateRef: {name: t}}]}}");

  private static CompiledSchema schema(String kind) {
    return SCHEMAS.computeIfAbsent(kind, KueueCrds::compiled);
  }

  private static ObjectNode good(String kind) {
    return object(GOOD.getOrDefault(kind, ""));
  }

  @Test
  void everyVersionCompiles() {
    for (ObjectNode crd : KueueCrds.all()) {
      for (JsonNode version : crd.at("/spec/versions")) {
        ObjectNode schema = (ObjectNode) version.at("/schema/openAPIV3Schema");
        assertThat(CompiledSchema.compile(schema, "schema"))
            .as(crd.at("/metadata/name").asText())
            .isInstanceOf(SchemaCompilation.Compiled.class);
      }
    }
  }

  @Test
  void goodObjectsPass() {
    for (String kind : GOOD.keySet()) {
      ObjectNode object = schema(kind).applyDefaults(good(kind));
      assertThat(schema(kind).unknownFields(object)).as(kind).isEmpty();
      assertThat(schema(kind).validate(object, null)).as(kind).isEmpty();
      assertThat(schema(kind).validate(object, object.deepCopy())).as(kind).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Workload | {} | /spec/active | true",
        "Workload | {spec: {podSets: [{template: {spec: {containers: []}}}]}} | /spec/podSets/0/name | '\"main\"'",
        "Workload | {spec: {podSets: [{template: {spec: {containers: []}}}]}} | /spec/podSets/0/count | 1",
        "Workload | {status: {admission: {podSetAssignments: [{}]}}} | /status/admission/podSetAssignments/0/name | '\"main\"'",
        "ClusterQueue | {} | /spec/queueingStrategy | '\"BestEffortFIFO\"'",
        "ClusterQueue | {} | /spec/stopPolicy | '\"None\"'",
        "ClusterQueue | {} | /spec/flavorFungibility/whenCanBorrow | '\"MayStopSearch\"'",
        "ClusterQueue | {} | /spec/flavorFungibility/whenCanPreempt | '\"TryNextFlavor\"'",
        "ClusterQueue | {} | /spec/preemption/reclaimWithinCohort | '\"Never\"'",
        "ClusterQueue | {} | /spec/preemption/borrowWithinCohort/policy | '\"Never\"'",
        "ClusterQueue | {} | /spec/preemption/withinClusterQueue | '\"Never\"'",
        "ClusterQueue | {spec: {fairSharing: {}}} | /spec/fairSharing/weight | 1",
        "ClusterQueue | {spec: {preemption: null}} | /spec/preemption/withinClusterQueue | '\"Never\"'",
        "LocalQueue | {} | /spec/stopPolicy | '\"None\"'",
        "Cohort | {spec: {fairSharing: {}}} | /spec/fairSharing/weight | 1",
        "ProvisioningRequestConfig | {} | /spec/retryStrategy | '{\"backoffLimitCount\":3,\"backoffBaseSeconds\":60,\"backoffMaxSeconds\":1800}'",
        "ProvisioningRequestConfig | {spec: {retryStrategy: {backoffLimitCount: 9}}} | /spec/retryStrategy/backoffBaseSeconds | 60",
      })
  void fillsInDefaults(String kind, String change, String pointer, String expected) {
    ObjectNode object = good(kind);
    ObjectNode patched =
        change.contains("null") ? withNulls(object, change) : merged(object, change);

    JsonNode value = schema(kind).applyDefaults(patched).at(pointer);

    assertThat(value).isEqualTo(Yaml.tree(expected));
  }

  @Test
  void defaultsNothingWithoutAParent() {
    ObjectNode object = schema("ClusterQueue").applyDefaults(good("ClusterQueue"));

    assertThat(object.at("/spec").has("fairSharing")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Workload | {spec: {priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: p}}} | spec",
        "Workload | {spec: {priority: 1, priorityClassRef: {group: scheduling.k8s.io, kind: WorkloadPriorityClass, name: p}}} | spec.priorityClassRef",
        "Workload | {spec: {priority: 1, priorityClassRef: {group: kueue.x-k8s.io, kind: PriorityClass, name: p}}} | spec.priorityClassRef",
        "Workload | {spec: {priority: 1, priorityClassRef: {group: example.com, kind: PriorityClass, name: p}}} | spec.priorityClassRef.group",
        "Workload | {spec: {priority: 1, priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: ''}}} | spec.priorityClassRef.name",
        "Workload | {spec: {podSets: []}} | spec.podSets",
        "Workload | {spec: {podSets: [{name: a}]}} | spec.podSets[0].template",
        "Workload | {spec: {podSets: [{name: A, template: {spec: {containers: []}}}]}} | spec.podSets[0].name",
        "Workload | {spec: {podSets: [{count: -1, template: {spec: {containers: []}}}]}} | spec.podSets[0].count",
        "Workload | {spec: {podSets: [{count: 1, minCount: 2, template: {spec: {containers: []}}}]}} | spec.podSets[0]",
        "Workload | {spec: {podSets: [{template: {spec: {containers: []}}}, {template: {spec: {containers: []}}}]}} | spec.podSets[1]",
        "Workload | {spec: {queueName: Bad_Name}} | spec.queueName",
        "Workload | {spec: {maximumExecutionTimeSeconds: 0}} | spec.maximumExecutionTimeSeconds",
        "Workload | {spec: {priority: 99999999999}} | spec.priority",
        "Workload | {status: {admissionChecks: [{name: c, state: Odd, lastTransitionTime: '2026-01-01T00:00:00Z', message: ''}]}} | status.admissionChecks[0].state",
        "Workload | {status: {admissionChecks: [{name: c, state: Ready, lastTransitionTime: today, message: ''}]}} | status.admissionChecks[0].lastTransitionTime",
        "Workload | {status: {admissionChecks: [{name: c, state: Ready, lastTransitionTime: '2026-01-01T00:00:00Z'}]}} | status.admissionChecks[0].message",
        "Workload | {status: {admissionChecks: [{name: c, state: Retry, lastTransitionTime: '2026-01-01T00:00:00Z', message: '', requeueAfterSeconds: -1}]}} | status.admissionChecks[0].requeueAfterSeconds",
        "Workload | {status: {admissionChecks: [{name: c, state: Ready, lastTransitionTime: '2026-01-01T00:00:00Z', message: '', podSetUpdates: [{name: main, tolerations: [{operator: Equal}]}]}]}} | status.admissionChecks[0].podSetUpdates[0].tolerations",
        "Workload | {status: {requeueState: {requeueAt: soon}}} | status.requeueState.requeueAt",
        "Workload | {status: {clusterName: a, nominatedClusterNames: [b]}} | status",
        "ClusterQueue | {spec: {queueingStrategy: Random}} | spec.queueingStrategy",
        "ClusterQueue | {spec: {stopPolicy: Maybe}} | spec.stopPolicy",
        "ClusterQueue | {spec: {flavorFungibility: {preference: BorrowingOverPreemption}}} | spec.flavorFungibility",
        "ClusterQueue | {spec: {preemption: {borrowWithinCohort: {policy: LowerPriority}}}} | spec.preemption",
        "ClusterQueue | {spec: {admissionChecksStrategy: {}}} | spec.admissionChecksStrategy.admissionChecks",
        "ClusterQueue | {spec: {admissionChecksStrategy: {admissionChecks: [{name: a, onFlavors: [f, f]}]}}} | spec.admissionChecksStrategy.admissionChecks[0].onFlavors[1]",
        "ClusterQueue | {spec: {resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]}]}} | spec.resourceGroups[0]",
        "ClusterQueue | {spec: {resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: many}]}]}]}} | spec.resourceGroups[0].flavors[0].resources[0].nominalQuota",
        "ClusterQueue | {spec: {cohortName: null, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1, borrowingLimit: 1}]}]}]}} | spec",
        "LocalQueue | {spec: {clusterQueue: A}} | spec.clusterQueue",
        "Cohort | {spec: {parentName: A}} | spec.parentName",
        "ResourceFlavor | {spec: {nodeTaints: [{key: k, effect: Odd}]}} | spec.nodeTaints",
        "ResourceFlavor | {spec: {tolerations: [{key: k, operator: Exists, value: v}]}} | spec.tolerations",
        "ResourceFlavor | {spec: {tolerations: [{key: k, tolerationSeconds: 3, effect: NoSchedule}]}} | spec.tolerations",
        "ResourceFlavor | {spec: {nodeLabels: {a: '1', b: '1', c: '1', d: '1', e: '1', f: '1', g: '1', h: '1', i: '1'}}} | spec.nodeLabels",
        "ResourceFlavor | {spec: {topologyName: t, nodeLabels: null}} | spec",
        "AdmissionCheck | {spec: {controllerName: ''}} | spec.controllerName",
        "AdmissionCheck | {spec: {parameters: {apiGroup: a.b, kind: K, name: Not_Good}}} | spec.parameters.name",
        "WorkloadPriorityClass | {value: null} | value",
        "WorkloadPriorityClass | {value: text} | value",
        "ProvisioningRequestConfig | {spec: {provisioningClassName: ''}} | spec.provisioningClassName",
        "ProvisioningRequestConfig | {spec: {managedResources: [a, a]}} | spec.managedResources[1]",
        "ProvisioningRequestConfig | {spec: {podSetMergePolicy: Odd}} | spec.podSetMergePolicy",
      })
  void refuses(String kind, String change, String field) {
    ObjectNode object = schema(kind).applyDefaults(merged(good(kind), change));

    List<FieldError> errors = schema(kind).validate(object, null);

    assertThat(errors).extracting(FieldError::field).contains(field);
  }

  private static final String RESERVED =
      "{status: {conditions: [{type: QuotaReserved, status: 'True', reason: R, message: '',"
          + " lastTransitionTime: '2026-01-01T00:00:00Z'}, {type: Admitted, status: 'True', reason:"
          + " R, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LocalQueue | {} | {spec: {clusterQueue: other}} | spec.clusterQueue",
        "AdmissionCheck | {} | {spec: {controllerName: other}} | spec.controllerName",
        "ResourceFlavor | {spec: {topologyName: t}} | {spec: {topologyName: u}} | spec",
        "ProvisioningRequest | {} | {spec: {provisioningClassName: r}} | spec.provisioningClassName",
        "ProvisioningRequest | {} | {spec: {podSets: [{count: 2, podTemplateRef: {name: t}}]}} | spec.podSets",
        "Workload | {status: {clusterName: a}} | {status: {clusterName: b}} | status",
        "Workload | RESERVED {spec: {queueName: a}} | {spec: {queueName: b}} | <nil>",
        "Workload | RESERVED {spec: {maximumExecutionTimeSeconds: 5}} | {spec: {maximumExecutionTimeSeconds: 6}} | <nil>",
        "Workload | RESERVED {} | {spec: {priority: 1, priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: p}}} | <nil>",
        "Workload | RESERVED {spec: {priority: 1, priorityClassRef: {group: scheduling.k8s.io, kind: PriorityClass, name: p}}} | {spec: {priorityClassRef: {name: q}}} | <nil>",
        "Workload | RESERVED {} | {status: {admission: {clusterQueue: c, podSetAssignments: []}}} | <nil>",
      })
  void refusesTheChange(String kind, String before, String change, String field) {
    ObjectNode old = before(kind, before);
    ObjectNode object = schema(kind).applyDefaults(merged(old, change));

    assertThat(schema(kind).validate(object, old))
        .extracting(FieldError::field)
        .containsExactly(field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Workload | {spec: {queueName: a}} | {spec: {queueName: b}}",
        "Workload | RESERVED {spec: {queueName: a}} | {spec: {priority: 7}}",
        "Workload | RESERVED {spec: {priority: 1, priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: p}}} | {spec: {priorityClassRef: {name: q}}}",
        "Workload | RESERVED {spec: {queueName: a}} | {spec: {queueName: b}, status: {conditions: []}}",
        "LocalQueue | {} | {spec: {stopPolicy: Hold}}",
        "ResourceFlavor | {} | {spec: {topologyName: t}}",
      })
  void allowsTheChange(String kind, String before, String change) {
    ObjectNode old = before(kind, before);
    ObjectNode object = schema(kind).applyDefaults(merged(old, change));

    assertThat(texts(schema(kind).validate(object, old))).isEmpty();
  }

  private static ObjectNode before(String kind, String change) {
    ObjectNode object = good(kind);
    if (change.startsWith("RESERVED")) {
      object = merged(object, RESERVED);
    }
    return schema(kind).applyDefaults(merged(object, change.replace("RESERVED", "")));
  }

  private static ObjectNode merged(ObjectNode object, String change) {
    return Patches.mergePatch(object, Yaml.tree(change));
  }

  /** Unlike a merge patch leaves the null in. */
  private static ObjectNode withNulls(ObjectNode object, String change) {
    ObjectNode result = object.deepCopy();
    result.withObject("/spec").setAll((ObjectNode) Yaml.tree(change).path("spec"));
    return result;
  }
}
