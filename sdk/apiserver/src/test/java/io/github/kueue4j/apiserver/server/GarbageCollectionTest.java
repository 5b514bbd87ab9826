// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import io.github.kueue4j.testdefaults.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deletions that follow when an owner, a namespace or a definition is deleted. */
class GarbageCollectionTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps/";
  private static final String DEFINITION =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shelves.shop.example.com";
  private static final String SHELVES = "/apis/shop.example.com/v1/namespaces/default/shelves";
  private static final String SHELF =
      "{apiVersion: shop.example.com/v1, kind: Shelf, metadata: {name: %s, finalizers: [%s]}}";

  @RegisterExtension
  static final TestServer api =
      new TestServer(builder -> builder.webhookPatience(Patience.LIMIT.multipliedBy(2)));

  @RegisterExtension
  static final TestServer keeping = new TestServer(EmbeddedApiServer.Builder::keepsOrphans);

  @Test
  void dependentsGoAfterTheirOwner() {
    String owner = uid(api.configMap("bg-owner", ""));
    api.configMap("bg-child", owned("bg-owner", owner, false));
    api.delete(MAPS + "bg-owner");
    awaitGone(MAPS + "bg-child");
  }

  @Test
  void aServerThatKeepsOrphansDoesWhatElseThereIsToDo() {
    String owner = uid(keeping.configMap("kept-owner", ""));
    keeping.configMap("kept-child", owned("kept-owner", owner, false));
    keeping.delete(MAPS + "kept-owner");
    keeping.configMap("kept-stray", owned("kept-owner", owner, false));

    awaitCollector(keeping);
    assertThat(keeping.get(MAPS + "kept-child").status()).isEqualTo(200);
    assertThat(keeping.get(MAPS + "kept-stray").status()).isEqualTo(200);
  }

  @Test
  void aSecondOwnerHoldsADependent() {
    String one = uid(api.configMap("two-one", ""));
    String two = uid(api.configMap("two-two", ""));
    api.configMap(
        "two-child",
        ", ownerReferences: ["
            + reference("two-one", one, false)
            + ", "
            + reference("two-two", two, false)
            + "]");
    api.delete(MAPS + "two-one");
    await().until(() -> api.get(MAPS + "two-child").at("metadata.ownerReferences").size() == 1);
    api.delete(MAPS + "two-two");
    awaitGone(MAPS + "two-child");
  }

  @Test
  void foregroundDeletionWaitsForDependents() {
    String owner = uid(api.configMap("fg-owner", ""));
    api.configMap("fg-child", owned("fg-owner", owner, true) + ", finalizers: [example.com/hold]");
    Answer marked = api.delete(MAPS + "fg-owner?propagationPolicy=Foreground");
    assertThat(marked.at("metadata.finalizers").get(0).asText()).isEqualTo("foregroundDeletion");
    await().until(() -> api.get(MAPS + "fg-child").at("metadata.deletionTimestamp").isTextual());
    assertThat(api.get(MAPS + "fg-owner").status()).isEqualTo(200);
    api.mergePatch(MAPS + "fg-child", "{\"metadata\":{\"finalizers\":null}}");
    awaitGone(MAPS + "fg-owner");
  }

  @Test
  void orphansStay() {
    String owner = uid(api.configMap("or-owner", ""));
    api.configMap("or-child", owned("or-owner", owner, false));
    api.delete(MAPS + "or-owner?propagationPolicy=Orphan");
    awaitGone(MAPS + "or-owner");
    Answer child = api.get(MAPS + "or-child");
    assertThat(child.status()).isEqualTo(200);
    assertThat(child.at("metadata.ownerReferences").isMissingNode()).isTrue();
  }

  @Test
  void aJobKeepsItsDependentsUnlessToldOtherwise() {
    String jobs = "/apis/batch/v1/namespaces/default/jobs";
    String job =
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: keep}, spec: {template: {spec:
          {restartPolicy: Never, containers: [{name: a, image: a}]}}}}
        """;
    String owner = uid(api.post(jobs, job));
    api.configMap(
        "job-child",
        ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: keep, uid: " + owner + "}]");
    Answer deleted = api.delete(jobs + "/keep");
    assertThat(deleted.headers().firstValue("Warning"))
        .hasValueSatisfying(
            warning -> assertThat(warning).contains("child pods are preserved by default"));
    awaitGone(jobs + "/keep");
    assertThat(api.get(MAPS + "job-child").status()).isEqualTo(200);
  }

  @Test
  void aDependentWithoutOwnerGoes() {
    api.configMap("lost", owned("absent", "11111111-2222-3333-4444-555555555555", false));
    awaitGone(MAPS + "lost");
  }

  @Test
  void aNamespaceTakesItsContentsAlongAndWaitsForThem() {
    api.post("/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: full}}");
    api.post(
        "/api/v1/namespaces/full/configmaps",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [a.example/b]}}");
    api.post(
        "/api/v1/namespaces/full/secrets",
        "{apiVersion: v1, kind: Secret, metadata: {name: free}}");
    assertThat(api.delete("/api/v1/namespaces/full").at("status.phase").asText())
        .isEqualTo("Terminating");
    awaitGone("/api/v1/namespaces/full/secrets/free");
    Answer refused =
        api.post(
            "/api/v1/namespaces/full/configmaps",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: late}}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.at("details.causes.0.reason").asText()).isEqualTo("NamespaceTerminating");
    api.mergePatch(
        "/api/v1/namespaces/full/configmaps/held", "{\"metadata\":{\"finalizers\":null}}");
    awaitGone("/api/v1/namespaces/full");
  }

  @Test
  void aNamespaceThatIsBeingDeletedTakesALateObjectAlong() throws Exception {
    String maps = "/api/v1/namespaces/closing/configmaps";
    api.post("/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: closing}}");
    api.post(
        maps,
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [a.example/b]}}");
    String late = "{apiVersion: v1, kind: ConfigMap, metadata: {name: late}}";
    createWhile(
        () -> {
          api.delete("/api/v1/namespaces/closing");
          awaitCollector(api);
        },
        maps,
        late);
    awaitGone(maps + "/late");
    api.mergePatch(maps + "/held", "{\"metadata\":{\"finalizers\":null}}");
    awaitGone("/api/v1/namespaces/closing");
  }

  @Test
  void aNamespaceThatIsGoneHoldsNoLateObject() throws Exception {
    String maps = "/api/v1/namespaces/gone/configmaps";
    api.post("/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: gone}}");
    createWhile(
        () -> {
          api.delete("/api/v1/namespaces/gone");
          awaitGone("/api/v1/namespaces/gone");
        },
        maps,
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: late}}");
    awaitGone(maps + "/late");
  }

  @Test
  void aDefinitionThatIsBeingDeletedTakesALateObjectAlong() throws Exception {
    api.server().apply(Shop.definitions());
    api.post(SHELVES, SHELF.formatted("held", "a.example/b"));
    createWhile(
        () -> {
          api.delete(DEFINITION);
          awaitCollector(api);
        },
        SHELVES,
        SHELF.formatted("late", ""));
    api.mergePatch(SHELVES + "/held", "{\"metadata\":{\"finalizers\":null}}");
    awaitGone(DEFINITION);
  }

  @Test
  void aDefinitionThatIsGoneHoldsNoLateObject() throws Exception {
    api.server().apply(Shop.definitions());
    createWhile(
        () -> {
          api.delete(DEFINITION);
          awaitGone(DEFINITION);
        },
        SHELVES,
        SHELF.formatted("late", "a.example/b"));
    awaitCollector(api);
    api.server().apply(Shop.definitions());
    assertThat(api.get(SHELVES).at("items")).isEmpty();
  }

  /** Creates an object; something happens while a webhook admits it. */
  private static void createWhile(Runnable meanwhile, String collection, String object)
      throws Exception {
    String webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    try (TestWebhook webhook = new TestWebhook("localhost")) {
      webhook.admits(
          "/slow",
          request -> {
            meanwhile.run();
            return TestWebhook.allowed();
          });
      api.post(
          webhooks,
          """
          apiVersion: admissionregistration.k8s.io/v1
          kind: ValidatingWebhookConfiguration
          metadata: {name: slow}
          webhooks:
          - name: slow.example.com
            admissionReviewVersions: [v1]
            sideEffects: None
            clientConfig: %s
            rules: [{operations: [CREATE], apiGroups: ['*'], apiVersions: ['*'], resources: [%s]}]
          """
              .formatted(
                  webhook.at("/slow"), collection.substring(collection.lastIndexOf('/') + 1)));
      assertThat(api.post(collection, object).status()).isEqualTo(201);
      api.delete(webhooks + "/slow");
    }
  }

  /** Waits until the collector has processed all changes so far: one thread does so, in order. */
  private static void awaitCollector(TestServer api) {
    String namespaces = "/api/v1/namespaces";
    api.post(namespaces, "{apiVersion: v1, kind: Namespace, metadata: {name: later}}");
    api.delete(namespaces + "/later");
    await().until(() -> api.get(namespaces + "/later").status() == 404);
  }

  private static void awaitGone(String path) {
    await().alias(path).until(() -> api.get(path).status() == 404);
  }

  private static String uid(Answer answer) {
    assertThat(answer.status()).isEqualTo(201);
    return answer.at("metadata.uid").asText();
  }

  private static String owned(String name, String uid, boolean block) {
    return ", ownerReferences: [" + reference(name, uid, block) + "]";
  }

  private static String reference(String name, String uid, boolean block) {
    return "{apiVersion: v1, kind: ConfigMap, name: "
        + name
        + ", uid: "
        + uid
        + ", blockOwnerDeletion: "
        + block
        + "}";
  }
}
