// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.webhooks;

import java.util.stream.Stream;

/** What the webhooks refuse of Workloads. */
final class WorkloadRefusals {
  private WorkloadRefusals() {}

  private static String workload(String podSets, String annotations) {
    return """
    {"metadata": {"name": "row", "annotations": {%s}}, "spec": {"podSets": [%s]}}\
    """
        .formatted(annotations, podSets);
  }

  private static String podSet(String name, String more, String metadata, String resources) {
    return """
    {"name": "%s"%s, "template": {"metadata": {%s}, "spec": {"containers": [
      {"name": "c", "image": "i", "resources": {%s}}]}}}\
    """
        .formatted(name, more, metadata, resources);
  }

  private static String pods(int count) {
    return podSet("main", ", \"count\": " + count, "", "\"requests\": {\"cpu\": 1}");
  }

  private static Refusal status(String before, String after, String refusal) {
    return new Refusal(Refusal.WORKLOADS, workload(pods(3), ""), before, after, "status", refusal);
  }

  private static String condition(String type, String status) {
    return """
    {"type": "%s", "status": "%s", "reason": "Told", "message": "",
     "lastTransitionTime": "2026-01-01T00:00:00Z"}\
    """
        .formatted(type, status);
  }

  private static String reserved(String more) {
    return reserved("main", "3", more);
  }

  private static String reserved(String podSet, String cpu, String more) {
    return """
    {"conditions": [%s], "admission": {"clusterQueue": "cq", "podSetAssignments": [
      {"name": "%s", "count": 3, "flavors": {"cpu": "one"}, "resourceUsage": {"cpu": "%s"}}]}%s}\
    """
        .formatted(condition("QuotaReserved", "True"), podSet, cpu, more);
  }

  private static String entry(String state, String updates) {
    return """
    , "admissionChecks": [{"name": "c", "state": "%s", "message": "",
      "lastTransitionTime": "2026-01-01T00:00:00Z", "podSetUpdates": [%s]}]\
    """
        .formatted(state, updates);
  }

  private static String reclaimable(int count) {
    return ", \"reclaimablePods\": [{\"name\": \"main\", \"count\": " + count + "}]";
  }

  static Stream<Refusal> workloads() {
    String gate = "\"kueue.x-k8s.io/admission-gated-by\": ";
    return Stream.of(
        Refusal.create(
            Refusal.WORKLOADS,
            workload(podSet("main", "", "\"labels\": {\"a b\": \"c\"}", ""), ""),
            "spec.podSets[0].template.metadata.labels: Invalid value: \"a b\": must be a qualified"
                + " name"),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(podSet("main", "", "\"annotations\": {\"a b\": \"c\"}", ""), ""),
            "spec.podSets[0].template.metadata.annotations: Invalid value: \"a b\""),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(podSet("main", "", "", "\"requests\": {\"pods\": 1}"), ""),
            "containers[0].resources.requests: Invalid value: \"pods\": the key is reserved for"
                + " internal kueue use; remove it"),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(podSet("main", "", "", "\"limits\": {\"cpu\": \"-1\"}"), ""),
            "containers[0].resources.limits[cpu]: Invalid value: \"-1\": must be greater than or"
                + " equal to 0"),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(
                podSet("a", ", \"count\": 3, \"minCount\": 1", "", "")
                    + ", "
                    + podSet("b", ", \"count\": 3, \"minCount\": 1", "", ""),
                ""),
            "spec.podSets[1].minCount: Invalid value: 1: at most one podSet can use minCount"),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(pods(1), gate + "\"a,,b\""),
            "metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid value: \"\": each of"
                + " the gates"),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(pods(1), gate + "\"a,a\""),
            "Duplicate value: \"a\": name each"),
        Refusal.update(
            Refusal.WORKLOADS,
            workload(pods(1), gate + "\"a\""),
            workload(pods(1), gate + "\"a,b\""),
            "Invalid value: \"b\": gates can't be added after creation"),
        Refusal.create(
            Refusal.WORKLOADS,
            workload(pods(1), "\"kueue.x-k8s.io/priority-boost\": \"high\""),
            "metadata.annotations[kueue.x-k8s.io/priority-boost]: Invalid value: \"high\": must be"
                + " an integer"),
        new Refusal(
            Refusal.WORKLOADS,
            workload(pods(3), ""),
            reserved(""),
            workload(pods(2), ""),
            "",
            "spec.podSets: Forbidden: field is immutable while quota is reserved"),
        status(
            "",
            "{\"conditions\": [" + condition("QuotaReserved", "True") + "]}",
            "status.admission: Required value: must be set while the QuotaReserved condition is"
                + " true"),
        status(
            "",
            reserved("other", "3", ""),
            "status.admission.podSetAssignments[0].name: Not found: \"other\": name one of the"
                + " podSets: main"),
        status(
            "",
            reserved("main", "3001m", ""),
            "podSetAssignments[0].resourceUsage[cpu]: Invalid value: \"3001m\": is not a multiple"
                + " of the number of pods, 3"),
        status(
            "",
            "{\"conditions\": [" + condition("a b", "True") + "]}",
            "status.conditions[0].type"),
        status(
            "",
            "{\"conditions\": ["
                + condition("A", "True").replace("\"Told\"", "\"two words\"")
                + "]}",
            "status.conditions[0].reason"),
        status(
            "",
            "{" + reclaimable(4).substring(2) + "}",
            "status.reclaimablePods[0].count: Invalid value: 4: should be less or equal to 3"),
        status(
            "",
            "{" + reclaimable(1).substring(2).replace("main", "other") + "}",
            "status.reclaimablePods[0].name: Unsupported value: \"other\": podSet is one of: main"),
        status(
            reserved(reclaimable(2)),
            reserved(reclaimable(1)),
            "status.reclaimablePods[0].count: Invalid value: 1: cannot be less than 2"),
        status(
            reserved(reclaimable(2)),
            reserved(""),
            "status.reclaimablePods: Required value: the entry \"main\" cannot be removed"),
        status(
            reserved(""),
            reserved("main", "6", ""),
            "status.admission: Forbidden: field is immutable once set"),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"other\"}")),
            "status.admissionChecks[0].podSetUpdates[0].name: Unsupported value: \"other\""),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"main\", \"labels\": {\"a b\": \"c\"}}")),
            "podSetUpdates[0].labels: Invalid value: \"a b\""),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"main\", \"annotations\": {\"a b\": \"c\"}}")),
            "podSetUpdates[0].annotations: Invalid value: \"a b\""),
        status(
            "",
            reserved(entry("Ready", "{\"name\": \"main\", \"nodeSelector\": {\"a\": \"c d\"}}")),
            "podSetUpdates[0].nodeSelector[a]: Invalid value: \"c d\""),
        status(
            "",
            reserved(
                entry(
                    "Ready",
                    "{\"name\": \"main\", \"tolerations\": [{\"key\": \"a b\", \"operator\":"
                        + " \"Exists\"}]}")),
            "podSetUpdates[0].tolerations[0].key: Invalid value: \"a b\""),
        status(
            reserved(entry("Ready", "{\"name\": \"main\", \"labels\": {\"a\": \"b\"}}")),
            reserved(entry("Ready", "{\"name\": \"main\", \"labels\": {\"a\": \"c\"}}")),
            "status.admissionChecks[0].podSetUpdates: Forbidden: field is immutable while the check"
                + " \"c\" is Ready"));
  }
}
