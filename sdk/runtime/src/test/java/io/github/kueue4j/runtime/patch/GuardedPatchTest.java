// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardedPatchTest {

  private static final String WORKLOAD =
      """
      {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload",
       "metadata":{"namespace":"team-a","name":"w","resourceVersion":"41","uid":"u"},
       "spec":{"queueName":"q","fromTheFuture":1},
       "status":{
         "conditions":[
           {"type":"Foreign","status":"True","reason":"R","message":"m",
            "lastTransitionTime":"2026-01-01T00:00:00Z","fromTheFuture":{"x":[1,2]}},
           {"type":"QuotaReserved","status":"True","reason":"R","message":"m",
            "lastTransitionTime":"2026-01-01T00:00:00Z"}],
         "admissionChecks":[
           {"name":"theirs","state":"Ready","message":"","lastTransitionTime":"2026-01-01T00:00:00Z",
            "fromTheFuture":true},
           {"name":"ours","state":"Pending","message":"","lastTransitionTime":"2026-01-01T00:00:00Z",
            "retryCount":2}]}}
      """;

  private static Workload workload() {
    return KueueJson.fromJson(WORKLOAD, Workload.class);
  }

  private static String body(GuardedPatch<?> patch) {
    return patch.patch().body().toString();
  }

  @Test
  void touchesOnlyTheFieldsOfTheEntryThatDiffers() {
    Workload before = workload();
    AdmissionCheckState ours = before.status().admissionChecks().get(1);
    var changed =
        before.withStatus(
            before
                .status()
                .withAdmissionChecks(
                    List.of(
                        before.status().admissionChecks().getFirst(),
                        ours.withState(CheckState.RETRY).withMessage("later"))));

    GuardedPatch<Workload> patch = GuardedPatch.between(before, changed);

    assertThat(body(patch))
        .isEqualTo(
            "[{\"op\":\"replace\",\"path\":\"/metadata/resourceVersion\",\"value\":\"41\"},"
                + "{\"op\":\"add\",\"path\":\"/status/admissionChecks/1/state\",\"value\":\"Retry\"},"
                + "{\"op\":\"add\",\"path\":\"/status/admissionChecks/1/message\","
                + "\"value\":\"later\"}]");
    assertThat(patch.scope()).isEqualTo(GuardedPatch.Scope.STATUS);
    assertThat(patch.patch().contentType()).isEqualTo("application/json-patch+json");
  }

  @Test
  void testsOnRequest() {
    Workload before = workload();
    Workload after = before.withStatus(before.status().withAdmissionChecks(List.of()));
    GuardedPatch<Workload> patch =
        GuardedPatch.between(before, after)
            .testing(
                JsonPointer.of("status", "admissionChecks").element(1).member("name"),
                new JsonPrimitive("ours"));
    assertThat(body(patch))
        .startsWith(
            "[{\"op\":\"test\",\"path\":\"/status/admissionChecks/1/name\",\"value\":\"ours\"},"
                + "{\"op\":\"replace\",\"path\":\"/metadata/resourceVersion\"");
  }

  @Test
  void ignoresTheOrderOfConditions() {
    Workload before = workload();
    Workload after =
        before.withStatus(before.status().withConditions(before.status().conditions().reversed()));
    assertThat(GuardedPatch.between(before, after).isEmpty()).isTrue();
  }

  @Test
  void anEmptyDifferenceIsAnEmptyPatch() {
    GuardedPatch<Workload> patch = GuardedPatch.between(workload(), workload());
    assertThat(patch.isEmpty()).isTrue();
    assertThat(patch.scope()).isEqualTo(GuardedPatch.Scope.NOTHING);
  }

  @Test
  void fillsAStatusThatMayNotExistWithoutReplacingIt() {
    Workload before =
        KueueJson.fromJson(
            "{\"metadata\":{\"namespace\":\"n\",\"name\":\"w\",\"resourceVersion\":\"7\"},"
                + "\"status\":{\"fromTheFuture\":1}}",
            Workload.class);
    Workload after = before.withStatus(workload().status());

    GuardedPatch<Workload> patch = GuardedPatch.between(before, after);

    JsonObject document = JsonParser.parseString(body(patch)).getAsJsonObject();
    assertThat(patch.patch().contentType()).isEqualTo("application/merge-patch+json");
    assertThat(document.getAsJsonObject("metadata").get("resourceVersion").getAsString())
        .isEqualTo("7");
    assertThat(document.getAsJsonObject("status").keySet())
        .containsExactlyInAnyOrder("conditions", "admissionChecks");
    assertThat(document.has("spec")).isFalse();
  }

  @Test
  void escapesNamesInPointers() {
    var before =
        KueueJson.fromJson(
            "{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"1\",\"annotations\":{\"x\":\"1\"}}}",
            V1ConfigMap.class);
    var after =
        KueueJson.fromJson(
            "{\"metadata\":{\"name\":\"c\",\"annotations\":{\"x\":\"1\",\"a.b/c~d\":\"2\"}}}",
            V1ConfigMap.class);
    assertThat(body(GuardedPatch.between(before, after)))
        .contains("\"path\":\"/metadata/annotations/a.b~1c~0d\"");
  }

  @Test
  void determinesTheEndpointsOfADifference() {
    Workload before = workload();
    Workload spec = before.withSpec(before.spec().withActive(false));
    assertThat(GuardedPatch.between(before, spec).scope()).isEqualTo(GuardedPatch.Scope.MAIN);
    Workload both = spec.withStatus(before.status().withConditions(List.of()));
    assertThat(GuardedPatch.between(before, both).scope()).isEqualTo(GuardedPatch.Scope.BOTH);
    assertThat(GuardedPatch.ofStatus(before, both).scope()).isEqualTo(GuardedPatch.Scope.STATUS);
  }

  @Test
  void needsAnObjectThatWasRead() {
    Workload made = Workload.named("n", "w");
    assertThatThrownBy(() -> GuardedPatch.between(made, made))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no resourceVersion in n/w");
  }

  @Test
  void worksForTheClientsModelsToo() {
    var job =
        KueueJson.fromJson(
            "{\"metadata\":{\"name\":\"j\",\"resourceVersion\":\"1\"},\"spec\":{\"suspend\":true,"
                + "\"template\":{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"x\"},"
                + "{\"name\":\"b\",\"image\":\"y\"}]}}}}",
            V1Job.class);
    V1Job after = KueueJson.fromTree(KueueJson.toTree(job), V1Job.class);
    after.getSpec().setSuspend(false);
    after.getSpec().getTemplate().getSpec().getContainers().get(1).setImage("z");
    assertThat(body(GuardedPatch.between(job, after)))
        .endsWith(
            "{\"op\":\"add\",\"path\":\"/spec/suspend\",\"value\":false},{\"op\":\"add\",\"path\":"
                + "\"/spec/template/spec/containers/1/image\",\"value\":\"z\"}]");
  }
}
