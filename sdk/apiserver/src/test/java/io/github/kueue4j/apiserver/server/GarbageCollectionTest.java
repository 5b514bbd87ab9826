// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static io.github.kueue4j.apiserver.server.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.server.TestServer.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deletions that follow when an owner, a namespace or a definition is deleted. */
class GarbageCollectionTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps/";

  @RegisterExtension static final TestServer api = new TestServer();

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

    // One thread does it all, in order.
    String namespaces = "/api/v1/namespaces";
    keeping.post(namespaces, "{apiVersion: v1, kind: Namespace, metadata: {name: later}}");
    keeping.delete(namespaces + "/later");
    await().until(() -> keeping.get(namespaces + "/later").status() == 404);
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
