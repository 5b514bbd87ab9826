// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.objects.ConflictException;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The objects of a check's own kinds: what their status says, how they are changed and kept. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "an AdmissionCheck may be deleted while its status is written")
class OwnObjectsTest extends AccountsFixture {

  record Spent(int spent) {}

  @Test
  void theirStatusSaysWhichChecksUseThemAndWhatIsWrong() throws Exception {
    check("b", "main");
    check("a", "main");
    account("main", "7");
    account("other", "1");
    run(builder -> builder.check(Parameters.of(ACCOUNTS).reportingStatus(), e -> fine()));

    awaitAccepted(Condition.TRUE, "Accepted", "Used by the AdmissionChecks 'a', 'b'");
    account("main", "many");
    awaitAccepted(
        Condition.FALSE,
        "Invalid",
        "the Account 'main' can't be used: spec.limit is 'many': write a whole number");
    assertThat(accepted().observedGeneration()).isEqualTo(2);

    account("main", "7, limt: 8");
    awaitAccepted(
        Condition.FALSE,
        "Invalid",
        "the Account 'main' can't be used: spec.limt is '8': there is no such field; did you mean"
            + " 'limit'?");

    account("main", "7");
    check("a", "other");
    awaitAccepted(Condition.TRUE, "Accepted", "Used by the AdmissionCheck 'b'");
    delete("b");
    awaitAccepted(Condition.UNKNOWN, "Unused", "No AdmissionCheck uses it");
  }

  @Test
  @ExpectedLog(logger = "CheckStatusWriter", message = "may not write the status")
  void aCheckWhoseStatusMayNotBeWrittenIsToldWithItsRemedy() throws Exception {
    check("first", "main");
    check("second", "other");
    account("main", "7");
    account("other", "7");
    run(
        builder -> builder.check(Parameters.of(ACCOUNTS).reportingStatus(), e -> fine()),
        permissions -> permissions.forChecks(List.of("first")));

    awaitAccepted(Condition.TRUE, "Accepted", "Used by the AdmissionCheck 'first'");
    Class<?> logger = Class.forName("io.github.kueue4j.sdk.internal.controller.CheckStatusWriter");
    await().until(() -> TestLog.of(logger).toString().contains("may not write"));
    account("other", "8");
    account("main", "many");
    awaitAccepted(
        Condition.FALSE,
        "Invalid",
        "the Account 'main' can't be used: spec.limit is 'many': write a whole number");
    assertThat(TestLog.of(logger))
        .filteredOn(entry -> entry.toString().contains("may not write"))
        .singleElement()
        .asString()
        .contains(
            "check=\"second\"",
            "admissionchecks.kueue.x-k8s.io \"second\" is forbidden",
            "remedy=\"'./kueue4j rbac --controller-name example.com/own -n "
                + KueueSide.NAMESPACE
                + " --name own --check first --check second --parameters accounts.ops.example.com"
                + " --status accounts.ops.example.com' prints roles that grant it; add what else"
                + " its role has");
    assertThat(stored("other").conditions()).isEmpty();

    kueue.connect(
        "own",
        may ->
            may.reading(ACCOUNTS.qualifiedName(), "").writingStatus(ACCOUNTS.qualifiedName(), ""));
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return !stored("other").conditions().isEmpty();
            });
    assertThat(Conditions.find(stored("other").conditions(), "Accepted"))
        .map(Condition::message)
        .contains("Used by the AdmissionCheck 'second'");
  }

  /** Each names all, so that two controllers that share an object don't write in turns. */
  @Test
  void theChecksOfOtherControllersAreNamedToo() throws Exception {
    check("a", "main");
    kueue.server().apply(checkYaml("foreign", "main").replace("example.com/own", "example.com/x"));
    account("main", "7");
    run(builder -> builder.check(Parameters.of(ACCOUNTS).reportingStatus(), e -> fine()));

    awaitAccepted(Condition.TRUE, "Accepted", "Used by the AdmissionCheck 'a'");
    JsonObject status = new JsonObject();
    status.add(
        "conditions",
        KueueJson.toTree(List.of(Condition.isTrue("Active", "Active", "", time.instant()))));
    JsonObject change = new JsonObject();
    change.add("status", status);
    kueue
        .api()
        .patchStatus(
            KueueTypes.ADMISSION_CHECK, ObjectKey.cluster("foreign"), new MergePatch(change));
    awaitAccepted(Condition.TRUE, "Accepted", "Used by the AdmissionChecks 'a', 'foreign'");
  }

  /** Statuses are written all the time, and are no reason to begin anew with what fails. */
  @Test
  void aStatusThatIsWrittenOftenDoesNotKeepQuotaForEver() throws Exception {
    check("own", "main");
    account("main", "7");
    run(
        builder ->
            builder.check(
                Parameters.of(ACCOUNTS),
                e -> {
                  throw new IllegalStateException("broken");
                }));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "own");
    AtomicInteger writes = new AtomicInteger();

    await()
        .until(
            () -> {
              JsonObject status = new JsonObject();
              status.addProperty("writes", writes.incrementAndGet());
              JsonObject change = new JsonObject();
              change.add("status", status);
              kueue.api().patchStatus(ACCOUNTS, MAIN, new MergePatch(change));
              time.advance(Duration.ofSeconds(10));
              return kueue.entry(job, "own").is(CheckState.RETRY);
            });
    assertThat(writes).hasValueGreaterThan(5);
  }

  @Test
  void aStatusOfAnotherControllersParametersIsLeftAlone() throws Exception {
    account("main", "many");
    kueue.server().apply(checkYaml("foreign", "main").replace("example.com/own", "example.com/x"));
    check("own", "second");
    account("second", "1");
    run(builder -> builder.check(Parameters.of(ACCOUNTS).reportingStatus(), e -> fine()));

    await().until(() -> Conditions.find(stored("second").conditions(), "Accepted").isPresent());
    assertThat(stored("main").conditions()).isEmpty();
  }

  @Test
  void onlyCustomResourcesHaveAStatusToReportTo() {
    assertThatThrownBy(() -> Parameters.none().reportingStatus())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use Parameters.of(...)");
    assertThatThrownBy(
            () -> Parameters.from(KueueTypes.PROVISIONING_REQUEST_CONFIG).reportingStatus())
        .hasMessageContaining("only custom resources");
  }

  @Test
  void aChangeThatDecidedFromAnOldStateIsRefused() {
    ClusterConnection cluster =
        kueue.connect(
            "own",
            permissions ->
                permissions
                    .owning(ACCOUNTS.qualifiedName(), "")
                    .changing(ACCOUNTS.qualifiedName(), "")
                    .writingStatus(ACCOUNTS.qualifiedName(), ""));
    open.add(cluster);
    ResourceClient client = CheckController.builder("example.com/own", cluster).resources();
    CustomResource<Account> first =
        client.createIfAbsent(
            ACCOUNTS,
            CustomResource.of(
                ACCOUNTS,
                new V1ObjectMeta().name("main").putLabelsItem("team", "a"),
                Map.of("limit", 5)));
    assertThat(first.spec()).isEqualTo(new Account(5));

    CustomResource<Account> second =
        client.patch(ACCOUNTS, first, Map.of("spec", Map.of("limit", 6)));
    assertThat(second.spec()).isEqualTo(new Account(6));
    assertThatThrownBy(() -> client.patch(ACCOUNTS, first, Map.of("spec", Map.of("limit", 7))))
        .isInstanceOf(ConflictException.class)
        .hasMessage("the Account 'main' was changed or deleted since it was read");
    assertThatThrownBy(() -> client.patchStatus(ACCOUNTS, first, Map.of("spent", 1)))
        .isInstanceOf(ConflictException.class);

    CustomResource<Account> third = client.patchStatus(ACCOUNTS, second, Map.of("spent", 1));
    assertThat(third.status(Spent.class)).contains(new Spent(1));
    Map<String, Object> labels = new HashMap<>();
    labels.put("labels", Collections.singletonMap("team", null));
    client.patch(ACCOUNTS, third, Map.of("metadata", labels));
    assertThat(stored("main").getMetadata().getLabels()).isNullOrEmpty();
    assertThat(stored("main").spec()).isEqualTo(new Account(6));

    client.delete(ACCOUNTS, third);
    assertThatThrownBy(() -> client.patchStatus(ACCOUNTS, third, Map.of("spent", 2)))
        .isInstanceOf(ConflictException.class);
  }

  private void awaitAccepted(String status, String reason, String message) {
    await()
        .untilAsserted(
            () ->
                assertThat(stored("main").conditions())
                    .extracting(Condition::status, Condition::reason, Condition::message)
                    .containsExactly(tuple(status, reason, message)));
  }

  private Condition accepted() {
    return Conditions.find(stored("main").conditions(), "Accepted").orElseThrow();
  }
}
