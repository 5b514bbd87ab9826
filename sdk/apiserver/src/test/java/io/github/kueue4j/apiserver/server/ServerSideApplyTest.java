// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Server-side apply: the owners of fields, merges and conflicts. */
@Tag("quick")
class ServerSideApplyTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps/";
  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs/";
  private static final String ORDERS = "/apis/shop.example.com/v1/namespaces/default/orders";

  @RegisterExtension static final TestServer api = new TestServer();

  @BeforeAll
  static void prepare() {
    api.server().apply(Shop.definitions());
  }

  private static Answer apply(String path, String manager, String body) {
    return api.send(
        "PATCH", path + "?fieldManager=" + manager, "application/apply-patch+yaml", body);
  }

  private static Answer force(String path, String manager, String body) {
    return api.send(
        "PATCH",
        path + "?fieldManager=" + manager + "&force=true",
        "application/apply-patch+yaml",
        body);
  }

  private static String map(String name, String rest) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}" + rest + "}";
  }

  /** Manager, operation and subresource of each owner, then its fields as JSON. */
  private static List<String> owners(Answer answer) {
    List<String> owners = new ArrayList<>();
    for (JsonNode entry : answer.at("metadata.managedFields")) {
      String subresource = entry.path("subresource").asText();
      owners.add(
          entry.path("manager").asText()
              + " "
              + entry.path("operation").asText()
              + (subresource.isEmpty() ? "" : " " + subresource)
              + " "
              + entry.path("fieldsV1").toString().replace("\"", "").replace(":{}", ""));
    }
    return owners;
  }

  @Test
  void createsWhatDoesNotExist() {
    Answer created = apply(MAPS + "created", "one", map("created", ", data: {a: '1'}"));

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.at("metadata.uid").asText()).isNotEmpty();
    assertThat(owners(created)).containsExactly("one Apply {f:data:{f:a}}");
    JsonNode entry = created.at("metadata.managedFields.0");
    assertThat(entry.path("fieldsType").asText()).isEqualTo("FieldsV1");
    assertThat(entry.path("apiVersion").asText()).isEqualTo("v1");
    assertThat(entry.path("time").asText()).endsWith("Z");
  }

  @Test
  void theSameAgainChangesNothing() {
    Answer first = apply(MAPS + "again", "one", map("again", ", data: {a: '1'}"));
    Answer second = apply(MAPS + "again", "one", map("again", ", data: {a: '1'}"));

    assertThat(second.status()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
  }

  @Test
  void whatIsNoLongerAppliedGoes() {
    apply(MAPS + "dropped", "one", map("dropped", ", data: {a: '1', b: '2'}"));
    api.mergePatch(MAPS + "dropped", "{\"data\": {\"c\": \"3\"}}");

    Answer second = apply(MAPS + "dropped", "one", map("dropped", ", data: {b: '2'}"));

    assertThat(second.at("data").toString()).isEqualTo("{\"b\":\"2\",\"c\":\"3\"}");
    assertThat(owners(second))
        .containsExactly("one Apply {f:data:{f:b}}", "apiserver-test Update {f:data:{f:c}}");
  }

  @Test
  void theLastFieldTakesItsParentsAlong() {
    apply(MAPS + "emptied", "one", map("emptied", ", data: {a: '1'}"));

    Answer second = apply(MAPS + "emptied", "one", map("emptied", ""));

    assertThat(second.body().has("data")).isFalse();
    assertThat(second.body().path("metadata").has("managedFields")).isFalse();
  }

  @Test
  void aFieldOfAnotherManagerIsAConflict() {
    apply(MAPS + "conflict", "one", map("conflict", ", data: {a: '1', b: '1'}"));

    Answer single = apply(MAPS + "conflict", "two", map("conflict", ", data: {a: '2'}"));
    Answer several = apply(MAPS + "conflict", "two", map("conflict", ", data: {a: '2', b: '2'}"));

    assertThat(single.status()).isEqualTo(409);
    assertThat(single.at("reason").asText()).isEqualTo("Conflict");
    assertThat(single.at("message").asText())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.a");
    assertThat(single.at("details.causes").toString())
        .isEqualTo(
            "[{\"reason\":\"FieldManagerConflict\",\"message\":\"conflict with \\\"one\\\"\","
                + "\"field\":\".data.a\"}]");
    assertThat(several.at("message").asText())
        .isEqualTo("Apply failed with 2 conflicts: conflicts with \"one\":\n- .data.a\n- .data.b");
    assertThat(api.get(MAPS + "conflict").at("data.a").asText()).isEqualTo("1");
  }

  @Test
  void aFieldThatAnotherManagerUpdatedIsAConflictToo() {
    api.post(
        "/api/v1/namespaces/default/configmaps?fieldManager=editor",
        map("updated", ", data: {a: '1'}"));

    Answer refused = apply(MAPS + "updated", "one", map("updated", ", data: {a: '2'}"));

    assertThat(refused.at("message").asText())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"editor\" using v1: .data.a");
  }

  @Test
  void forceTakesOver() {
    apply(MAPS + "forced", "one", map("forced", ", data: {a: '1', b: '1'}"));

    Answer forced = force(MAPS + "forced", "two", map("forced", ", data: {a: '2'}"));

    assertThat(forced.at("data").toString()).isEqualTo("{\"a\":\"2\",\"b\":\"1\"}");
    assertThat(owners(forced))
        .containsExactly("one Apply {f:data:{f:b}}", "two Apply {f:data:{f:a}}");
  }

  @Test
  void theSameValueIsShared() {
    apply(MAPS + "shared", "one", map("shared", ", data: {a: '1'}"));
    Answer both = apply(MAPS + "shared", "two", map("shared", ", data: {a: '1'}"));
    assertThat(owners(both))
        .containsExactly("one Apply {f:data:{f:a}}", "two Apply {f:data:{f:a}}");

    Answer oneLess = apply(MAPS + "shared", "one", map("shared", ""));
    assertThat(oneLess.at("data.a").asText()).isEqualTo("1");
    assertThat(owners(oneLess)).containsExactly("two Apply {f:data:{f:a}}");
  }

  @Test
  void anUpdateTakesOwnershipOfWhatItChanges() {
    apply(MAPS + "taken", "one", map("taken", ", data: {a: '1', b: '1'}"));

    Answer patched =
        api.mergePatch(
            MAPS + "taken?fieldManager=editor", "{\"data\": {\"a\": \"2\", \"b\": \"1\"}}");

    assertThat(owners(patched))
        .containsExactly("one Apply {f:data:{f:b}}", "editor Update {f:data:{f:a}}");
  }

  @Test
  void aFieldThatAnUpdateRemovesHasNoOwner() {
    apply(MAPS + "removed", "one", map("removed", ", data: {a: '1', b: '1'}"));

    Answer patched = api.mergePatch(MAPS + "removed", "{\"data\": {\"a\": null}}");

    assertThat(owners(patched)).containsExactly("one Apply {f:data:{f:b}}");
  }

  @Test
  void aReadObjectCanBeWrittenBackAndOwnersForgotten() {
    Answer applied = apply(MAPS + "forgotten", "one", map("forgotten", ", data: {a: '1'}"));

    Answer same = api.put(MAPS + "forgotten", applied.body().toString());
    assertThat(same.body()).isEqualTo(applied.body());

    Answer forgotten =
        api.mergePatch(MAPS + "forgotten", "{\"metadata\":{\"managedFields\":[{}]}}");
    assertThat(forgotten.body().path("metadata").has("managedFields")).isFalse();
    Answer refused = apply(MAPS + "forgotten", "two", map("forgotten", ", data: {a: '2'}"));
    assertThat(refused.at("message").asText())
        .contains("conflict with \"before-first-apply\" using v1: .data.a");
  }

  /** What they keep is what the object doesn't have. */
  @Test
  void aNewObjectMayNameManagersOfItsOwn() {
    String deep = "{\"f:a\":".repeat(20) + "{}" + "}".repeat(20);
    String body =
        """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"NAME","managedFields":[{
        "manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1",
        "fieldsV1":{"f:data":{"f:x":{}},"f:deep":DEEP}}]},"data":{"x":"1"}}
        """;

    Answer created =
        api.post(
            "/api/v1/namespaces/default/configmaps",
            body.replace("NAME", "managed").replace("DEEP", deep));

    assertThat(created.status()).isEqualTo(201);
    JsonNode managers = created.at("metadata.managedFields");
    assertThat(managers).hasSize(2);
    assertThat(managers.get(0).path("manager").asText()).isEqualTo("m");
    assertThat(managers.get(0).path("fieldsV1").toString()).isEqualTo("{\"f:deep\":" + deep + "}");
    assertThat(managers.get(1).at("/fieldsV1/f:data/f:x").isObject()).isTrue();

    Answer nonsense =
        api.post(
            "/api/v1/namespaces/default/configmaps",
            body.replace("NAME", "nonsense").replace("DEEP", "{\"no step\":{}}"));

    assertThat(nonsense.status()).isEqualTo(201);
    assertThat(nonsense.at("metadata.managedFields")).hasSize(1);
  }

  @Test
  void aManagerMustNameItself() {
    Answer nameless =
        api.send("PATCH", MAPS + "nameless", "application/apply-patch+yaml", map("nameless", ""));

    assertThat(nameless.status()).isEqualTo(422);
    assertThat(nameless.at("message").asText())
        .isEqualTo(
            "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for"
                + " apply patch");
    Answer forced = api.mergePatch(MAPS + "nameless?force=true", "{}");
    assertThat(forced.at("message").asText())
        .contains("force: Forbidden: may not be specified for non-apply patch");
  }

  @Test
  void refusesWhatItCannotApply() {
    assertThat(
            apply(MAPS + "wrong", "one", "{apiVersion: v2, kind: ConfigMap}")
                .at("message")
                .asText())
        .isEqualTo(
            "Incorrect version specified in apply patch. Specified patch version: v2, expected: v1");
    assertThat(
            apply(
                    MAPS + "wrong",
                    "one",
                    "{apiVersion: v1, kind: ConfigMap, metadata: {managedFields: [{manager: x}]}}")
                .at("message")
                .asText())
        .isEqualTo("metadata.managedFields must be nil");
    Answer unknown = apply(MAPS + "wrong", "one", map("wrong", ", dat: {a: b}"));
    assertThat(unknown.status()).isEqualTo(500);
    assertThat(unknown.at("message").asText())
        .isEqualTo(
            "failed to create typed patch object (default/wrong; /v1, Kind=ConfigMap): .dat: field"
                + " not declared in schema");
    Answer keyless =
        apply(
            PODS + "wrong", "one", "{apiVersion: v1, kind: Pod, spec: {containers: [{image: a}]}}");
    assertThat(keyless.at("message").asText())
        .contains(
            "element 0: associative list with keys has an element that omits key field \"name\"");
    assertThat(api.get(MAPS + "wrong").status()).isEqualTo(404);
  }

  @Test
  void aResourceVersionIsAPrecondition() {
    Answer first = apply(MAPS + "version", "one", map("version", ", data: {a: '1'}"));
    Answer second = apply(MAPS + "version", "one", map("version", ", data: {a: '2'}"));
    String body =
        "{apiVersion: v1, kind: ConfigMap, metadata: {resourceVersion: '%s'}, data: {a: '3'}}";

    assertThat(apply(MAPS + "version", "one", body.formatted(first.revision())).status())
        .isEqualTo(409);
    assertThat(apply(MAPS + "version", "one", body.formatted(second.revision())).status())
        .isEqualTo(200);
    assertThat(apply(MAPS + "gone", "one", body.formatted(second.revision())).status())
        .isEqualTo(409);
  }

  @Test
  void aDryRunStoresNothing() {
    Answer answer =
        api.send(
            "PATCH",
            MAPS + "dry?fieldManager=one&dryRun=All",
            "application/apply-patch+yaml",
            map("dry", ", data: {a: '1'}"));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(owners(answer)).containsExactly("one Apply {f:data:{f:a}}");
    assertThat(api.get(MAPS + "dry").status()).isEqualTo(404);
  }

  private static String pod(String spec) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: lists}, spec: " + spec + "}";
  }

  @Test
  void listsOfBuiltInKindsAreMergedByTheirKeys() {
    apply(
        PODS + "lists",
        "one",
        pod(
            "{containers: [{name: a, image: a, env: [{name: X, value: '1'}],"
                + " ports: [{containerPort: 80}]}], tolerations: [{key: t}]}"));
    Answer second =
        apply(
            PODS + "lists", "two", pod("{containers: [{name: a, env: [{name: Y, value: '2'}]}]}"));

    assertThat(second.at("spec.containers.0.image").asText()).isEqualTo("a");
    assertThat(second.at("spec.containers.0.env"))
        .extracting(variable -> variable.path("name").asText())
        .containsExactlyInAnyOrder("X", "Y");
    assertThat(owners(second))
        .containsExactlyInAnyOrder(
            "one Apply {f:spec:{f:containers:{k:{\\name\\:\\a\\}:{.,f:env:{k:{\\name\\:\\X\\}:{.,"
                + "f:name,f:value}},f:image,f:name,f:ports:{k:{\\containerPort\\:80,\\protocol\\:"
                + "\\TCP\\}:{.,f:containerPort}}}},f:tolerations}}",
            "two Apply {f:spec:{f:containers:{k:{\\name\\:\\a\\}:{.,f:env:{k:{\\name\\:\\Y\\}:{.,"
                + "f:name,f:value}},f:name}}}}");

    Answer atomic = apply(PODS + "lists", "two", pod("{tolerations: [{key: t}, {key: u}]}"));
    assertThat(atomic.at("message").asText())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.tolerations");

    Answer third = apply(PODS + "lists", "two", pod("{}"));
    assertThat(third.at("spec.containers.0.env"))
        .extracting(variable -> variable.path("name").asText())
        .containsExactly("X");
  }

  @Test
  void finalizersAreASetAndOwnersHaveUids() {
    String base = "{apiVersion: v1, kind: ConfigMap, metadata: {name: meta, ";
    api.post(
        "/api/v1/namespaces/default/configmaps",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: o}}");
    String uid = api.get(MAPS + "o").at("metadata.uid").asText();
    String owner =
        "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: o, uid: " + uid + "}]";
    apply(MAPS + "meta", "one", base + "finalizers: [example.com/a], " + owner + "}}");
    Answer second = apply(MAPS + "meta", "two", base + "finalizers: [example.com/b]}}");

    assertThat(second.at("metadata.finalizers").toString())
        .isEqualTo("[\"example.com/a\",\"example.com/b\"]");
    assertThat(owners(second))
        .anySatisfy(text -> assertThat(text).contains("f:ownerReferences:{k:{\\uid\\:\\" + uid))
        .contains("two Apply {f:metadata:{f:finalizers:{v:\\example.com/b\\}}}");
    Answer third = apply(MAPS + "meta", "two", base + "labels: {a: b}}}");
    assertThat(third.at("metadata.finalizers").toString()).isEqualTo("[\"example.com/a\"]");
    apply(MAPS + "meta", "one", base + "labels: {}}}");
  }

  @Test
  void aTypedDefaultHasNoOwner() {
    String job =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: defaults}
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: a}]
        """;
    Answer applied = apply(JOBS + "defaults", "one", job);

    assertThat(applied.status()).isEqualTo(201);
    assertThat(applied.at("spec.backoffLimit").asInt()).isEqualTo(6);
    assertThat(owners(applied).toString()).doesNotContain("backoffLimit");
    assertThat(
            apply(JOBS + "defaults", "two", job.replace("suspend: true", "backoffLimit: 3"))
                .at("spec.backoffLimit")
                .asInt())
        .isEqualTo(3);
  }

  private static final String ORDER =
      """
      apiVersion: shop.example.com/v1
      kind: Order
      metadata: {name: %s}
      spec:
        customer: c
        parcels:
        - name: main
          count: 1
          content: {books: [{title: t, author: a}]}
      """;

  private static String status(String name, String status) {
    return "{apiVersion: shop.example.com/v1, kind: Order, metadata: {name: "
        + name
        + "}, status: "
        + status
        + "}";
  }

  private static String condition(String type, String status) {
    return "{type: "
        + type
        + ", status: '"
        + status
        + "', reason: R, message: m, lastTransitionTime: '2026-01-01T00:00:00Z'}";
  }

  @Test
  void theStatusOfACustomResourceHasOwnersOfItsOwn() {
    String path = ORDERS + "/ssa/status";
    api.post(ORDERS, ORDER.formatted("ssa"));
    Answer paid =
        force(
            path,
            "cashier",
            status(
                "ssa",
                "{conditions: ["
                    + condition("Paid", "True")
                    + ", "
                    + condition("Packed", "False")
                    + "], approvals: [{name: a, state: Pending, message: '',"
                    + " lastTransitionTime: '2026-01-01T00:00:00Z'}]}"));
    Answer delivered =
        force(
            path,
            "courier",
            status("ssa", "{conditions: [" + condition("Delivered", "False") + "]}"));

    assertThat(paid.status()).isEqualTo(200);
    assertThat(paid.at("metadata.generation").asInt()).isEqualTo(1);
    assertThat(delivered.at("status.conditions")).hasSize(3);
    assertThat(owners(delivered))
        .anyMatch(owner -> owner.startsWith("cashier Apply status {f:status:{"))
        .contains(
            "courier Apply status {f:status:{f:conditions:{k:{\\type\\:" + "\\Delivered\\}}}}");

    Answer dropped =
        force(path, "cashier", status("ssa", "{conditions: [" + condition("Paid", "False") + "]}"));
    assertThat(dropped.at("status.conditions"))
        .extracting(c -> c.path("type").asText())
        .containsExactly("Paid", "Delivered");
    assertThat(dropped.body().path("status").has("approvals")).isFalse();
  }

  @Test
  void anEntrySurvivesAnotherManagersApplyOfTheOthers() {
    String path = ORDERS + "/entries/status";
    String entry =
        "{name: %s, state: %s, message: '%s', lastTransitionTime: '2026-01-01T00:00:00Z'}";
    api.post(ORDERS, ORDER.formatted("entries"));
    force(
        path,
        "cashier",
        status(
            "entries",
            "{approvals: ["
                + entry.formatted("a", "Pending", "")
                + ", "
                + entry.formatted("b", "Pending", "")
                + "]}"));

    Answer approved =
        api.send(
            "PATCH",
            path + "?fieldManager=office",
            "application/json-patch+json",
            "[{\"op\":\"replace\",\"path\":\"/status/approvals/1/state\",\"value\":\"Ready\"}]");
    Answer unforced =
        apply(
            path,
            "cashier",
            status(
                "entries",
                "{approvals: ["
                    + entry.formatted("a", "Pending", "")
                    + ", "
                    + entry.formatted("b", "Pending", "")
                    + "]}"));

    assertThat(owners(approved))
        .contains("office Update status {f:status:{f:approvals:{k:{\\name\\:\\b\\}:{f:state}}}}");
    assertThat(unforced.at("message").asText())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"office\" with subresource \"status\" using"
                + " shop.example.com/v1: .status.approvals[name=\"b\"].state");
    Answer withoutB =
        force(
            path,
            "cashier",
            status("entries", "{approvals: [" + entry.formatted("a", "Ready", "") + "]}"));
    assertThat(withoutB.at("status.approvals")).hasSize(1);
  }

  @Test
  void theStatusOfNothingCannotBeApplied() {
    assertThat(apply(ORDERS + "/none/status", "one", status("none", "{conditions: []}")).status())
        .isEqualTo(404);
  }

  @Test
  void tooManyManagersBecomeAncient() {
    api.post(
        "/api/v1/namespaces/default/configmaps?fieldManager=m0", map("many", ", data: {k0: x}"));
    Answer last = api.get(MAPS + "many");
    for (int i = 1; i <= 12; i++) {
      last =
          api.mergePatch(MAPS + "many?fieldManager=m" + i, "{\"data\": {\"k" + i + "\": \"x\"}}");
    }
    assertThat(owners(last))
        .hasSize(10)
        .anyMatch(owner -> owner.startsWith("ancient-changes Update"));
  }
}
