// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.webhooks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the webhooks refuse of queues, Cohorts and flavors. */
final class QueueRefusals {
  private QueueRefusals() {}

  private static String queue(String spec) {
    return "{\"metadata\": {\"name\": \"row\"}, \"spec\": {" + spec + "}}";
  }

  private static String group(String more) {
    return group("cpu", "one", "\"nominalQuota\": 5" + more);
  }

  private static String group(String resource, String flavor, String quota) {
    return """
    {"coveredResources": ["%s"],
     "flavors": [{"name": "%s", "resources": [{"name": "%s", %s}]}]}\
    """
        .formatted(resource, flavor, resource, quota);
  }

  private static String groups(String... groups) {
    return "\"resourceGroups\": [" + String.join(", ", groups) + "]";
  }

  /** Groups with this many flavors in all, 60 in each. */
  private static String flavors(int count, int resources) {
    List<String> groups = new ArrayList<>();
    for (int from = 0; from < count; from += 60) {
      List<String> names = new ArrayList<>();
      List<String> covered = new ArrayList<>();
      List<String> quotas = new ArrayList<>();
      for (int r = 0; r < resources; r++) {
        covered.add("\"example.com/g" + from + "r" + r + "\"");
        quotas.add("{\"name\": \"example.com/g" + from + "r" + r + "\", \"nominalQuota\": 1}");
      }
      for (int i = from; i < Math.min(count, from + 60); i++) {
        names.add("{\"name\": \"f" + i + "\", \"resources\": [" + String.join(", ", quotas) + "]}");
      }
      groups.add(
          "{\"coveredResources\": ["
              + String.join(", ", covered)
              + "], \"flavors\": ["
              + String.join(", ", names)
              + "]}");
    }
    return groups(groups.toArray(String[]::new));
  }

  private static String check(String flavor) {
    return """
    "admissionChecksStrategy": {"admissionChecks": [{"name": "c", "onFlavors": ["%s"]}]}\
    """
        .formatted(flavor);
  }

  static Stream<Refusal> queues() {
    String cohort = "\"cohortName\": \"all\", ";
    return Stream.of(
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group("a b", "one", "\"nominalQuota\": 1"))),
            "spec.resourceGroups[0].coveredResources[0]: Invalid value: \"a b\": must be a qualified"
                + " name"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group(""), group("cpu", "two", "\"nominalQuota\": 1"))),
            "spec.resourceGroups[1].coveredResources[0]: Duplicate value: \"cpu\"...remove it"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group(""), group("memory", "one", "\"nominalQuota\": 1"))),
            "spec.resourceGroups[1].flavors[0].name: Duplicate value: \"one\"...remove it"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(
                """
                "resourceGroups": [{"coveredResources": ["cpu", "memory"], "flavors": [
                  {"name": "one", "resources": [{"name": "memory", "nominalQuota": 1},
                                                {"name": "cpu", "nominalQuota": 1}]}]}]
                """),
            "spec.resourceGroups[0].flavors[0].resources[0].name: Invalid value: \"memory\": must"
                + " match the name in coveredResources, which is \"cpu\""),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group("cpu", "one", "\"nominalQuota\": \"-1\""))),
            "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: Invalid value: \"-1\":"
                + " must be greater than or equal to 0"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(cohort + groups(group(", \"borrowingLimit\": \"-2\""))),
            "resources[0].borrowingLimit: Invalid value: \"-2\": must be greater than or equal to"
                + " 0"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(cohort + groups(group(", \"lendingLimit\": -3"))),
            "resources[0].lendingLimit: Invalid value: \"-3\": must be greater than or equal to 0"),
        // Carried by the schema.
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group(", \"borrowingLimit\": 1"))),
            "borrowingLimit needs a cohort"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group(", \"lendingLimit\": 1"))),
            "resources[0].lendingLimit: Invalid value: \"1\": must be nil when cohort is empty;"
                + " set cohortName"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(cohort + groups(group(", \"lendingLimit\": 6"))),
            "resources[0].lendingLimit: Invalid value: \"6\": must be less than or equal to the"
                + " nominalQuota, 5"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(flavors(257, 1)),
            "spec.resourceGroups: Too many: 257: must have at most 256 flavors"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(flavors(301, 60)),
            "spec.resourceGroups: Too many: 360: must have at most 256 resources"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(flavors(60, 9)),
            "spec.resourceGroups[0]: Too many: 540: must have at most 512 quotas"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue("\"namespaceSelector\": {\"matchLabels\": {\"a b\": \"c\"}}"),
            "spec.namespaceSelector.matchLabels: Invalid value: \"a b\": must be a qualified name"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue("\"namespaceSelector\": {\"matchLabels\": {\"a\": \"c d\"}}"),
            "spec.namespaceSelector.matchLabels[a]: Invalid value: \"c d\": must be a label value"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(
                "\"namespaceSelector\": {\"matchExpressions\": [{\"key\": \"a\", \"operator\":"
                    + " \"Near\"}]}"),
            "matchExpressions[0].operator: Unsupported value: \"Near\": operator is one of:"
                + " DoesNotExist, Exists, In, NotIn"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(
                "\"namespaceSelector\": {\"matchExpressions\": [{\"key\": \"a\", \"operator\":"
                    + " \"In\"}]}"),
            "matchExpressions[0].values: Required value: must be given with the operator In"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(
                "\"namespaceSelector\": {\"matchExpressions\": [{\"key\": \"a\", \"operator\":"
                    + " \"Exists\", \"values\": [\"b\"]}]}"),
            "matchExpressions[0].values: Forbidden: remove them"),
        // Carried by the schema.
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue("\"preemption\": {\"borrowWithinCohort\": {\"policy\": \"LowerPriority\"}}"),
            "borrowWithinCohort needs a reclaimWithinCohort other than Never"),
        // Carried by the schema.
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue("\"flavorFungibility\": {\"preference\": \"BorrowingOverPreemption\"}"),
            "preference needs whenCanBorrow and whenCanPreempt to be TryNextFlavor"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue("\"fairSharing\": {\"weight\": \"-1\"}"),
            "spec.fairSharing.weight: Invalid value: \"-1\": must be greater than or equal to 0"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue("\"fairSharing\": {\"weight\": \"1n\"}"),
            "spec.fairSharing.weight: Invalid value: \"1n\": must be 0 or greater than 1n"),
        Refusal.create(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group("")) + ", " + check("other")),
            "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]: Unsupported value:"
                + " \"other\": flavor of this ClusterQueue is one of: one"),
        Refusal.update(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group("")) + ", " + check("one")),
            queue(groups(group("cpu", "two", "\"nominalQuota\": 1")) + ", " + check("one")),
            "onFlavors[0]: Unsupported value: \"one\""),
        Refusal.update(
            Refusal.CLUSTER_QUEUES,
            queue(groups(group(""))),
            queue(groups(group("cpu", "one", "\"nominalQuota\": \"-1\""))),
            "nominalQuota: Invalid value: \"-1\""),
        Refusal.create(
            Refusal.COHORTS,
            queue(groups(group(", \"borrowingLimit\": 1"))),
            "resources[0].borrowingLimit: Invalid value: \"1\": must be nil when parent is empty;"
                + " set parentName"),
        Refusal.create(
            Refusal.COHORTS,
            queue(groups(group(", \"lendingLimit\": 1"))),
            "resources[0].lendingLimit: Invalid value: \"1\": must be nil when parent is empty"),
        Refusal.create(
            Refusal.COHORTS,
            queue(groups(group("cpu", "one", "\"nominalQuota\": \"-1\""))),
            "nominalQuota: Invalid value: \"-1\": must be greater than or equal to 0"),
        Refusal.create(
            Refusal.COHORTS,
            queue(groups(group(""), group("cpu", "two", "\"nominalQuota\": 1"))),
            "coveredResources[0]: Duplicate value: \"cpu\""),
        Refusal.create(
            Refusal.COHORTS,
            queue(groups(group(""), group("memory", "one", "\"nominalQuota\": 1"))),
            "flavors[0].name: Duplicate value: \"one\""),
        Refusal.create(
            Refusal.COHORTS,
            queue("\"fairSharing\": {\"weight\": \"-1\"}"),
            "spec.fairSharing.weight: Invalid value: \"-1\""),
        Refusal.update(
            Refusal.COHORTS,
            queue("\"parentName\": \"p\", " + groups(group(", \"lendingLimit\": 9"))),
            queue(groups(group(", \"lendingLimit\": 9"))),
            "lendingLimit: Invalid value: \"9\": must be nil when parent is empty"),
        Refusal.create(
            Refusal.LOCAL_QUEUES,
            queue("\"clusterQueue\": \"x\", \"fairSharing\": {\"weight\": \"-1\"}"),
            "spec.fairSharing.weight: Invalid value: \"-1\""));
  }

  static Stream<Refusal> flavors() {
    return Stream.of(
        Refusal.create(
            Refusal.FLAVORS,
            queue("\"nodeLabels\": {\"a b\": \"c\"}"),
            "spec.nodeLabels: Invalid value: \"a b\": must be a qualified name"),
        Refusal.create(
            Refusal.FLAVORS,
            queue("\"nodeLabels\": {\"a\": \"c d\"}"),
            "spec.nodeLabels[a]: Invalid value: \"c d\": must be a label value"),
        Refusal.create(
            Refusal.FLAVORS,
            queue("\"nodeTaints\": [{\"key\": \"a b\", \"effect\": \"NoSchedule\"}]"),
            "spec.nodeTaints[0].key: Invalid value: \"a b\": must be a qualified name"),
        Refusal.create(
            Refusal.FLAVORS,
            queue(
                "\"nodeTaints\": [{\"key\": \"a\", \"value\": \"-\", \"effect\": \"NoSchedule\"}]"),
            "spec.nodeTaints[0].value: Invalid value: \"-\": must be a label value"),
        Refusal.create(
            Refusal.FLAVORS,
            queue(
                """
                "nodeTaints": [{"key": "a", "effect": "NoSchedule"},
                               {"key": "a", "value": "x", "effect": "NoSchedule"}]
                """),
            "spec.nodeTaints[1]: Duplicate value: \"a:NoSchedule\": taints are unique"),
        // Carried by the schema.
        Refusal.create(
            Refusal.FLAVORS,
            queue("\"nodeTaints\": [{\"key\": \"a\", \"effect\": \"Never\"}]"),
            "effect must be NoSchedule, PreferNoSchedule or NoExecute"),
        Refusal.create(
            Refusal.FLAVORS,
            queue("\"tolerations\": [{\"key\": \"a b\", \"operator\": \"Exists\"}]"),
            "spec.tolerations[0].key: Invalid value: \"a b\": must be a qualified name"));
  }
}
