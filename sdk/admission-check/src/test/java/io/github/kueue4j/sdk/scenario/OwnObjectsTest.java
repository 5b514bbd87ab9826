// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static io.github.kueue4j.sdk.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.MergePatch;
import io.github.kueue4j.sdk.ConflictException;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.github.kueue4j.sdk.controller.Maintenance;
import io.github.kueue4j.sdk.controller.MaintenanceQueue;
import io.github.kueue4j.sdk.controller.ResourceClient;
import io.github.kueue4j.sdk.controller.Watch;
import io.github.kueue4j.sdk.controller.Watched;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The objects of a check's own kinds: what their status says, how they are changed and kept. */
class OwnObjectsTest {

  record Account(int limit) {}

  record Spent(int spent) {}

  private static final ResourceType<CustomResource<Account>> ACCOUNTS =
      ResourceType.clusterScoped("ops.example.com/v1", "Account", Account.class);
  private static final ObjectKey MAIN = ObjectKey.cluster("main");

  private final ManualTime time = ManualTime.create();
  private final KueueSide kueue = new KueueSide(time);
  private final List<AutoCloseable> open = new ArrayList<>(List.of(kueue));

  OwnObjectsTest() {
    kueue
        .server()
        .apply(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: accounts.ops.example.com}
            spec:
              group: ops.example.com
              scope: Cluster
              names: {kind: Account, plural: accounts, singular: account}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

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

    account("main", "7");
    check("a", "other");
    awaitAccepted(Condition.TRUE, "Accepted", "Used by the AdmissionCheck 'b'");
    delete("b");
    awaitAccepted(Condition.UNKNOWN, "Unused", "No AdmissionCheck uses it");
  }

  /** Each names all, so that two controllers that share an object don't write in turns. */
  @Test
  void theChecksOfOtherControllersAreNamedToo() throws Exception {
    check("a", "main");
    kueue.server().apply(checkYaml("foreign", "main").replace("example.com/own", "example.com/x"));
    account("main", "7");
    run(builder -> builder.check(Parameters.of(ACCOUNTS).reportingStatus(), e -> fine()));

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
  void theyAreMaintainedWhenTheyChangeOthersChangeOrTheTimeIsOver() throws Exception {
    List<String> maintained = new CopyOnWriteArrayList<>();
    account("main", "1");
    MaintenanceQueue[] queue = new MaintenanceQueue[1];
    run(
        builder -> {
          Watched<CustomResource<Account>> accounts = builder.watch(Watch.of(ACCOUNTS));
          queue[0] =
              builder
                  .maintain(
                      "accounts",
                      accounts,
                      key -> {
                        maintained.add(
                            accounts.get(key).map(one -> "" + one.spec().limit()).orElse("gone"));
                        return Optional.of(Duration.ofHours(1));
                      })
                  .whenChanged(builder.workloads(), workload -> List.of(MAIN));
          return builder.check(e -> fine());
        });

    await().until(() -> maintained.equals(List.of("1")));
    account("main", "2");
    await().until(() -> maintained.equals(List.of("1", "2")));
    kueue.workload("job");
    await().until(() -> maintained.size() == 3);
    time.advance(Duration.ofMinutes(61));
    await().until(() -> maintained.size() == 4);
    queue[0].trigger(MAIN);
    await().until(() -> maintained.size() == 5);
    kueue.api().delete(ACCOUNTS, MAIN, DeleteOptions.background());
    await().until(() -> maintained.getLast().equals("gone"));
  }

  @Test
  void aMaintenanceThatFailsIsTriedAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    account("main", "1");
    run(
        builder -> {
          builder.maintain(
              "accounts",
              builder.watch(Watch.of(ACCOUNTS)),
              key -> {
                if (calls.incrementAndGet() < 3) {
                  throw new IllegalStateException("not yet");
                }
                return Optional.empty();
              });
          return builder.check(e -> fine());
        });

    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return calls.get() >= 3;
            });
  }

  @Test
  void onlyWhatTheBuilderWatchesCanBeMaintained() {
    ClusterConnection cluster = kueue.connect("own");
    open.add(cluster);
    CheckController.Builder builder = CheckController.builder("example.com/own", cluster);
    Watched<CustomResource<Account>> foreign =
        new Watched<>() {
          @Override
          public Optional<CustomResource<Account>> get(ObjectKey key) {
            return Optional.empty();
          }

          @Override
          public List<CustomResource<Account>> list() {
            return List.of();
          }

          @Override
          public void onChange(Consumer<ObjectKey> handler) {}
        };
    Maintenance none = key -> Optional.empty();

    assertThatThrownBy(() -> builder.maintain("accounts", foreign, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pass what watch(...) or workloads() returned");
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

  private static Verdict fine() {
    return Verdict.ready("fine");
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

  private CustomResource<Account> stored(String name) {
    return kueue.api().get(ACCOUNTS, ObjectKey.cluster(name)).orElseThrow();
  }

  private void run(Function<CheckController.Builder, CheckController.Builder> described)
      throws InterruptedException {
    ClusterConnection cluster =
        kueue.connect(
            "own",
            permissions ->
                permissions
                    .reading(ACCOUNTS.qualifiedName(), "")
                    .writingStatus(ACCOUNTS.qualifiedName(), ""));
    open.add(cluster);
    CheckController controller =
        described
            .apply(CheckController.builder("example.com/own", CheckEnvironment.of(cluster, time)))
            .build();
    open.add(controller);
    controller.start();
  }

  private void check(String name, String account) {
    kueue.server().apply(checkYaml(name, account));
  }

  private static String checkYaml(String name, String account) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: AdmissionCheck
    metadata: {name: %s}
    spec:
      controllerName: example.com/own
      parameters: {apiGroup: ops.example.com, kind: Account, name: %s}
    """
        .formatted(name, account);
  }

  private void delete(String check) {
    kueue
        .api()
        .delete(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(check), DeleteOptions.background());
  }

  private void account(String name, String limit) {
    kueue
        .server()
        .apply(
            """
            {apiVersion: ops.example.com/v1, kind: Account, metadata: {name: %s},
             spec: {limit: %s}}
            """
                .formatted(name, limit));
  }
}
