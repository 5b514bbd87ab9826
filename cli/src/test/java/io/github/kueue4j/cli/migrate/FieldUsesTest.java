// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.cli.objects.StoredObject;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FieldUsesTest {
  @Test
  void namesFieldsOfOneSideOnlyAndNoOthers() {
    StoredObject workload =
        KueueJson.fromJson(
            """
            {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": {"name": "a"},
             "spec": {"queueName": "main", "future": {"a": 1}, "podSets": [
               {"name": "main", "topologyRequest": {"required": "rack"},
                "template": {"metadata": {"labels": {"any": "thing"}},
                             "spec": {"containers": [{"name": "c", "image": "i", "newer": 1}]}}}]},
             "status": {"admissionChecks": [
               {"name": "b", "state": "Ready", "preemptionRequested": true}]}}
            """,
            StoredObject.class);

    Set<FieldUse> uses = FieldUses.of(KueueTypes.WORKLOAD).in(workload);

    assertThat(uses)
        .contains(
            new FieldUse("spec.future", FieldUse.Meaning.UNKNOWN),
            new FieldUse("spec.podSets[].topologyRequest", FieldUse.Meaning.OUT_OF_SCOPE),
            new FieldUse(
                "status.admissionChecks[].preemptionRequested", FieldUse.Meaning.EXTENSION))
        .hasSize(3);
  }

  /** A WorkloadPriorityClass has neither spec nor status. */
  @Test
  void readsObjectsOfEveryKind() {
    StoredObject object =
        KueueJson.fromJson("{\"metadata\": {\"name\": \"a\"}, \"value\": 1}", StoredObject.class);

    assertThat(KueueTypes.ALL)
        .allSatisfy(type -> assertThat(FieldUses.of(type).in(object)).isEmpty());
  }
}
