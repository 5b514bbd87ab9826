// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.jobs.BatchJob;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Explanations from what the users of one namespace may read. */
class MissingRightsTest {
  private static final Instant NOW = Instant.parse("2026-01-05T09:00:00Z");
  private static final Set<ResourceType<?>> BEYOND_THE_NAMESPACE =
      Set.of(
          KueueTypes.CLUSTER_QUEUE,
          KueueTypes.RESOURCE_FLAVOR,
          KueueTypes.ADMISSION_CHECK,
          KueueTypes.WORKLOAD_PRIORITY_CLASS,
          KueueTypes.WORKLOAD,
          KueueTypes.LOCAL_QUEUE,
          CoreTypes.NAMESPACE,
          CoreTypes.LEASE);
  private static final String ACTIVE = condition("Active", "True", "Ready", "");

  private static final String BACKOFF =
      "conditions: ["
          + condition("Requeued", "False", "AdmissionCheck", "")
          + "], requeueState: {count: 1, requeueAt: '2026-01-05T09:30:00Z'}";

  @Test
  void aQueuedWorkloadIsExplainedByWhatTheCoreSays() {
    Explanation waiting = queued("WaitingForQuota", "2 more cpu needed").why();

    assertThat(waiting.reason()).isEqualTo(Reason.QUOTA_IN_USE);
    assertThat(waiting.summary()).contains("The core says: 2 more cpu needed.");
    assertThat(waiting.whoActs().actor()).isEqualTo(Actor.NONE);
    assertThat(waiting.whoActs().action())
        .startsWith("It gets quota when enough is released.")
        .contains(
            "needs get and list of clusterqueues and resourceflavors, and of workloads and"
                + " localqueues in all namespaces",
            "ClusterRole kueue-clusterqueue-viewer-role");
    assertThat(waiting.evidence())
        .contains(
            new Evidence(
                "ClusterQueue/cq",
                "metadata",
                "can't be read: needs get and list of clusterqueues"));
  }

  @Test
  void theReasonOfTheCoreIsKept() {
    assertThat(queued("ExceedsMaxQuota", "too much").why())
        .matches(found -> found.reason() == Reason.EXCEEDS_QUOTA)
        .matches(found -> found.whoActs().actor() == Actor.WORKLOAD_OWNER);
    assertThat(notSelected().why())
        .matches(found -> found.reason() == Reason.NAMESPACE_NOT_SELECTED)
        .matches(found -> found.whoActs().actor() == Actor.QUEUE_ADMINISTRATOR);
    assertThat(queued("PendingEvaluation", "Waits behind the head").why())
        .matches(found -> found.reason() == Reason.NOT_RESERVED)
        .matches(found -> found.whoActs().actor() == Actor.NONE);
  }

  @Test
  void whatTheCoreHasNotSaidIsNotInvented() {
    Explanation silent = Sight.of("").why();

    assertThat(silent.reason()).isEqualTo(Reason.NOT_RESERVED);
    assertThat(silent.summary()).contains("has not said yet why it gets none");
    assertThat(silent.whoActs().actor()).isEqualTo(Actor.CORE_OPERATOR);
  }

  @Test
  void theLocalQueueSaysWhatIsWrongWithAClusterQueueThatMayNotBeRead() {
    Sight misconfigured = queued("Misconfigured", "...");

    assertThat(
            misconfigured
                .withLocalQueue(condition("Active", "False", "ClusterQueueDoesNotExist", "no"))
                .why()
                .reason())
        .isEqualTo(Reason.CLUSTER_QUEUE_MISSING);
    Explanation stopped =
        misconfigured
            .withLocalQueue(condition("Active", "False", "ClusterQueueIsInactive", "is stopped"))
            .why();
    assertThat(stopped.reason()).isEqualTo(Reason.CLUSTER_QUEUE_INACTIVE);
    assertThat(stopped.summary()).contains("ClusterQueue cq can't admit", "is stopped");
  }

  /** Flavors, checks and Cohorts that may not be read are not missing. */
  @Test
  void aClusterQueueWhoseFlavorsMayNotBeReadIsAsTheCoreStates() {
    Sight waiting = queued("WaitingForQuota", "2 more");

    assertThat(waiting.withClusterQueue("{}", ACTIVE).why().reason())
        .isEqualTo(Reason.QUOTA_IN_USE);
    Explanation stated =
        waiting
            .withClusterQueue("{}", condition("Active", "False", "FlavorNotFound", "lacks spot"))
            .why();
    assertThat(stated.reason()).isEqualTo(Reason.CLUSTER_QUEUE_INACTIVE);
    assertThat(stated.summary()).contains("lacks spot");
  }

  @Test
  void aNamespaceWhoseLabelsMayNotBeReadIsSelectedUnlessTheCoreSaysOtherwise() {
    String selector = "{matchLabels: {team: a}}";

    assertThat(
            queued("ExceedsMaxQuota", "too much")
                .without(CoreTypes.NAMESPACE)
                .withClusterQueue(selector, ACTIVE)
                .why()
                .reason())
        .isEqualTo(Reason.EXCEEDS_QUOTA);
    Explanation refused =
        notSelected().without(CoreTypes.NAMESPACE).withClusterQueue(selector, ACTIVE).why();
    assertThat(refused.reason()).isEqualTo(Reason.NAMESPACE_NOT_SELECTED);
    assertThat(refused.evidence().toString()).contains("needs get and list of namespaces");
  }

  @Test
  void aPendingCheckIsExplainedByTheStatus() {
    Explanation pending = reserved("{state: Pending, message: asks}").why();

    assertThat(pending.reason()).isEqualTo(Reason.CHECK_PENDING);
    assertThat(pending.summary()).contains("\"budget\" has been pending for 1h: asks");
    assertThat(pending.evidence().toString())
        .contains("can't be read: needs get and list of admissionchecks")
        .doesNotContain("not found");
    assertThat(pending.whoActs().action())
        .contains("otherwise ask its controller.", "needs get and list of admissionchecks")
        .doesNotContain("pendingTimeoutSeconds");
  }

  /** Others may hold the quota, by a deferred preemption, so nothing is overdue. */
  @Test
  void theCoreIsNotBlamedForWhatCanNotBeSeen() {
    Sight ready = reserved("{state: Ready}");

    Explanation unseen = ready.why();
    assertThat(unseen.reason()).isEqualTo(Reason.CORE_ABOUT_TO_ACT);
    assertThat(unseen.summary()).contains("unless another workload still holds");
    assertThat(unseen.whoActs().action())
        .contains("needs get and list of admissionchecks and clusterqueues");
    assertThat(ready.without(KueueTypes.CLUSTER_QUEUE).why().reason())
        .as("the check defers no preemption")
        .isEqualTo(Reason.CORE_NOT_RUNNING);
  }

  @Test
  void aBackoffNamesTheCheckThatAskedForIt() {
    Explanation backoff =
        Sight.of(
                BACKOFF
                    + ", admissionChecks: "
                    + check("{state: Retry, message: tomorrow, requeueAfterSeconds: 5400}"))
            .why();

    assertThat(backoff.reason()).isEqualTo(Reason.RETRY_DELAYED);
    assertThat(backoff.summary()).contains("\"budget\" until 2026-01-05T09:30:00Z", "tomorrow");
    assertThat(backoff.whoActs().actor()).isEqualTo(Actor.CHECK_CONTROLLER);
    assertThat(backoff.whoActs().action()).contains("or earlier if a check ends its delay.");
  }

  /** The configuration is unknown, too: what the core wrote tells its maximumRetryDelay. */
  @ParameterizedTest
  @ValueSource(strings = {"2026-01-05T09:30:00Z", "2026-01-06T08:00:00Z"})
  void aDelayThatTheCoreCutsIsExplainedAsTheCoreCountsIt(String requeueAt) {
    String status =
        BACKOFF.replace("2026-01-05T09:30:00Z", requeueAt)
            + ", admissionChecks: "
            + check("{state: Retry, message: next week, requeueAfterSeconds: 500000}");
    Explanation backoff = Sight.of(status).why();

    assertThat(backoff.summary())
        .contains("\"budget\" until " + requeueAt, "cut to maximumRetryDelay; it says");
    assertThat(backoff.nextWake()).isEqualTo(Instant.parse(requeueAt));
    assertThat(DelayedBy.of(read(Workload.class, "{status: {" + status + "}}")))
        .containsExactly(new DelayedBy("budget", Instant.parse(requeueAt), "next week"));
  }

  @Test
  void anEndThatTheCoreWroteBeforeTheRetryIsOfAnEarlierDelay() {
    Workload workload =
        read(
            Workload.class,
            "{status: {"
                + BACKOFF.replace("T09:30:00Z", "T08:00:00Z")
                + ", admissionChecks: "
                + check("{state: Retry, message: later, requeueAfterSeconds: 5400}")
                + "}}");

    assertThat(DelayedBy.of(workload))
        .containsExactly(new DelayedBy("budget", Instant.parse("2026-01-05T09:30:00Z"), "later"));
  }

  /** Its ClusterQueue is gone, so no check counts any more. */
  @Test
  void aBackoffWithoutAClusterQueueIsExplained() {
    Explanation backoff = Sight.of(BACKOFF).without().why();

    assertThat(backoff.reason()).isEqualTo(Reason.RETRY_DELAYED);
    assertThat(backoff.summary()).contains("in 30m");
  }

  @Test
  void aPriorityClassThatMayNotBeReadIsNotMissing() {
    V1Job job =
        read(
            V1Job.class,
            """
            {metadata: {name: job, namespace: team, uid: u, creationTimestamp: '2026-01-05T08:00:00Z',
                labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: high}},
              spec: {suspend: true, template: {spec: {containers: []}}}}
            """);

    Explanation found =
        Explain.why(Sight.of("").around(null, ObservedJob.of(new BatchJob(), job)), NOW);

    assertThat(found.reason()).isEqualTo(Reason.WORKLOAD_NOT_CREATED);
    assertThat(found.summary()).contains("WorkloadPriorityClass high (which can't be read)");
  }

  /** A core that manages its namespace would have suspended it long ago. */
  @Test
  void aJobThatRunsWithoutAWorkloadIsNotSaidToBeStopping() {
    V1Job job =
        read(
            V1Job.class,
            """
            {metadata: {name: job, namespace: team, uid: u, creationTimestamp: '2026-01-05T08:00:00Z',
                labels: {kueue.x-k8s.io/queue-name: lq}},
              spec: {suspend: false, template: {spec: {containers: []}}}, status: {active: 1}}
            """);

    Explanation found =
        Explain.why(Sight.of("").around(null, ObservedJob.of(new BatchJob(), job)), NOW);

    assertThat(found.reason()).isEqualTo(Reason.WORKLOAD_NOT_CREATED);
    assertThat(found.summary()).contains("its configuration excludes the namespace team");
  }

  /** Its status counts no pods. */
  @Test
  void podsThatMayNotBeReadAreNotMissing() {
    JobKind<?> kind = BuiltInKinds.registry().named(List.of("ray.io/raycluster")).getFirst();
    DeclaredJob cluster =
        read(
            DeclaredJob.class,
            """
            {apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: ray, namespace: team, uid: u,
                creationTimestamp: '2026-01-05T08:00:00Z'},
              spec: {suspend: false, headGroupSpec: {template: {spec: {containers: []}}}}}
            """);
    Sight admitted =
        Sight.of(
                "conditions: ["
                    + condition("QuotaReserved", "True", "QuotaReserved", "")
                    + ", "
                    + condition("Admitted", "True", "Admitted", "")
                    + "], admission: {clusterQueue: cq, podSetAssignments: []}")
            .without(CoreTypes.POD);

    Explanation found = admitted.why(ObservedJob.of((DeclaredKind) kind, cluster));

    assertThat(found.reason()).isEqualTo(Reason.RUNNING);
    assertThat(found.summary())
        .contains("its RayCluster has been started; its pods can't be seen from here");
  }

  private static Sight queued(String reason, String message) {
    return Sight.of("conditions: [" + condition("QuotaReserved", "False", reason, message) + "]");
  }

  private static Sight notSelected() {
    return queued("Misconfigured", "workload namespace doesn't match ClusterQueue selector");
  }

  private static Sight reserved(String answer) {
    return Sight.of(
        "conditions: ["
            + condition("QuotaReserved", "True", "QuotaReserved", "")
            + "], admission: {clusterQueue: cq, podSetAssignments: []}, admissionChecks: "
            + check(answer));
  }

  private static String check(String answer) {
    return "["
        + answer.replace("{", "{name: budget, lastTransitionTime: '2026-01-05T08:00:00Z', ")
        + "]";
  }

  private static String condition(String type, String status, String reason, String message) {
    return "{type: %s, status: '%s', reason: %s, message: \"%s\", lastTransitionTime: '2026-01-05T08:00:00Z'}"
        .formatted(type, status, reason, message);
  }

  /**
   * What the user sees.
   *
   * @param status of the Workload, as YAML without braces
   * @param localActive the LocalQueue's condition
   */
  private record Sight(
      String status,
      String localActive,
      @Nullable ClusterQueue clusterQueue,
      Set<ResourceType<?>> unreadable) {

    static Sight of(String status) {
      return new Sight(status, ACTIVE, null, BEYOND_THE_NAMESPACE);
    }

    Sight withLocalQueue(String active) {
      return new Sight(status, active, clusterQueue, unreadable);
    }

    Sight withClusterQueue(String selector, String active) {
      ClusterQueue readable =
          read(
              ClusterQueue.class,
              "{metadata: {name: cq}, spec: {namespaceSelector: %s, %s}, status: {conditions: [%s]}}"
                  .formatted(selector, TeamState.cpus(1), active));
      return new Sight(status, localActive, readable, unreadable);
    }

    /** Only these can't be read. */
    Sight without(ResourceType<?>... types) {
      return new Sight(status, localActive, clusterQueue, Set.of(types));
    }

    Explanation why() {
      return why(null);
    }

    Explanation why(@Nullable ObservedJob job) {
      Workload workload =
          read(
              Workload.class,
              """
              {metadata: {name: job, namespace: team, uid: u, creationTimestamp: '2026-01-05T08:00:00Z'},
                spec: {queueName: lq, podSets: [{name: main, count: 1, template:
                  {spec: {containers: [{name: c, resources: {requests: {cpu: 2}}}]}}}]},
                status: {%s}}
              """
                  .formatted(status));
      return Explain.why(around(workload, job), NOW);
    }

    ExplainInput around(@Nullable Workload workload, @Nullable ObservedJob job) {
      return new ExplainInput(
          workload,
          job,
          List.of(),
          read(
              LocalQueue.class,
              "{metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq}, status: {conditions: [%s]}}"
                  .formatted(localActive)),
          clusterQueue,
          readable(
              KueueTypes.RESOURCE_FLAVOR,
              read(ResourceFlavor.class, "{metadata: {name: default}}")),
          readable(
              KueueTypes.ADMISSION_CHECK,
              read(
                  AdmissionCheck.class,
                  "{metadata: {name: budget}, spec: {controllerName: example.com/budget}}")),
          Map.of(),
          Set.of(),
          List.of(),
          List.of(),
          Map.of(),
          List.of(),
          List.of(),
          Map.of(),
          null,
          null,
          unreadable);
    }

    private <T extends ApiObject> Map<String, T> readable(ResourceType<T> type, T object) {
      return unreadable.contains(type) ? Map.of() : Map.of(object.key().name(), object);
    }
  }
}
