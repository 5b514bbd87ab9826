// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.DelayEndingCheck;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A reconciler on a cluster in memory, with one workload that two checks have to judge. */
abstract class EvaluatorFixture {

  static final Instant T0 = Instant.parse("2026-06-01T10:00:00Z");
  static final ObjectKey KEY = new ObjectKey("team-a", "train");
  static final ServedVersion SERVED = new ServedVersion(KueueTypes.VERSION);
  static final Reason FULL = Reason.of("Full");

  final ManualTime time = new ManualTime(T0.plusSeconds(10));
  final FakeCluster cluster = new FakeCluster();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final FakeCluster.StaleInformer<io.github.kueue4j.api.Workload> workloads =
      cluster.informer(KueueTypes.WORKLOAD);
  final FakeCluster.StaleInformer<io.github.kueue4j.api.AdmissionCheck> checkObjects =
      cluster.informer(KueueTypes.ADMISSION_CHECK);
  final FakeCluster.StaleInformer<io.github.kueue4j.api.ResourceFlavor> flavors =
      cluster.informer(KueueTypes.RESOURCE_FLAVOR);
  final List<Evaluation<NoParameters>> evaluations = new ArrayList<>();
  final DroppedDelays droppedDelays = new DroppedDelays(check -> {});
  final List<String> events = new ArrayList<>();
  EvaluationMemory memory = new EvaluationMemory();
  Guards guards =
      Guards.defaults()
          .withErrorPolicy(
              Backoff.exponential(Duration.ofSeconds(1), 2).withoutJitter(),
              Duration.ofSeconds(10),
              Backoff.exponential(Duration.ofSeconds(30), 2).withoutJitter());
  Due.Rechecks rechecks = new Due.Rechecks(null, false);
  Check<NoParameters> author = evaluation -> Verdict.ready("fine");

  /** What is asked about delays, where {@link #rechecks} has it. */
  Ending delayEnds = waiting -> Optional.empty();

  @Nullable GuardSet open;

  EvaluatorFixture() {
    cluster.put(KueueTypes.ADMISSION_CHECK, check("budget", "example.com/test"));
    cluster.put(KueueTypes.ADMISSION_CHECK, check("another", "example.com/another"));
    cluster.put(
        KueueTypes.RESOURCE_FLAVOR,
        """
        {"metadata": {"name": "a100"}, "spec": {"nodeLabels": {"gpu": "a100"}}}
        """);
    checkObjects.sync();
    flavors.sync();
    reserved(T0);
  }

  @AfterEach
  void closeThreads() {
    if (open != null) {
      open.close();
    }
  }

  /** What asks for guards from now on gets these. */
  void replaceGuards(Guards changed) {
    closeThreads();
    open = null;
    guards = changed;
  }

  Requeue reconcile() throws Exception {
    return reconciler(new ParametersLookup.Constant<>(NoParameters.INSTANCE), recording())
        .reconcile(KEY);
  }

  /** Whether a delay ends. */
  interface Ending {
    Optional<String> delayEnds(Evaluation<NoParameters> waiting) throws Exception;
  }

  /** The author's check, each of whose questions is kept in {@link #evaluations}. */
  <P> Check<P> recording() {
    if (!rechecks.delayEnding()) {
      return evaluation -> author.evaluate(recorded(evaluation));
    }
    return new DelayEndingCheck<>() {
      @Override
      public Verdict evaluate(Evaluation<P> evaluation) throws Exception {
        return author.evaluate(recorded(evaluation));
      }

      @Override
      public Optional<String> delayEnds(Evaluation<P> waiting) throws Exception {
        return delayEnds.delayEnds(recorded(waiting));
      }
    };
  }

  private Evaluation<NoParameters> recorded(Evaluation<?> asked) {
    Evaluation<NoParameters> plain =
        new Evaluation<>(
            asked.check(),
            asked.workload(),
            asked.podSets(),
            asked.entry(),
            NoParameters.INSTANCE,
            asked.now(),
            asked.deadline());
    evaluations.add(plain);
    return plain;
  }

  <P> WorkloadReconciler<P> reconciler(ParametersLookup<P> parameters, Check<P> check) {
    AuthorCalls calls = calls();
    return new WorkloadReconciler<>(
        workloads,
        checks(parameters, remarks(check), new AwaitedKinds(cluster)),
        new Cleanups(check, memory, calls),
        new Evaluator<>(
            check,
            new PodSets(flavors::get),
            guardSet(),
            new VerdictWriter(
                workloads, cluster, SERVED, droppedDelays, new RecordedEvents(), time, metrics()),
            new RevocationNews(new RecordedEvents(), metrics()),
            new Evaluator.Timing(time, new Random(1), Duration.ofMinutes(5), rechecks)),
        memory,
        time);
  }

  <P> Remarks<P> remarks(Check<P> check) {
    return new Remarks<>(check, false, droppedDelays, Guards.defaults(), workloads::list, List::of);
  }

  <P> OwnChecks<P> checks(ParametersLookup<P> parameters, Remarks<P> remarks, AwaitedKinds kinds) {
    return new OwnChecks<>("example.com/test", checkObjects, parameters, kinds, remarks, time);
  }

  CheckConditions conditions() {
    return new CheckConditions(
        guardSet().reach(),
        new BackendCondition(time, time),
        new AppliedParameters(time),
        object -> false);
  }

  private CheckMetrics metrics() {
    return new CheckMetrics(meters, "example.com/test");
  }

  AuthorCalls calls() {
    return guardSet().calls();
  }

  GuardSet guardSet() {
    @Nullable GuardSet known = open;
    if (known == null) {
      known = new GuardSet("example.com/test", guards, time, metrics(), FatalErrors.endProcess());
      open = known;
    }
    return known;
  }

  private final class RecordedEvents implements EventRecorder {
    @Override
    public void normal(KubernetesObject regarding, String reason, String action, String note) {
      events.add(ObjectKey.of(regarding) + ": " + note);
    }

    @Override
    public void warning(KubernetesObject regarding, String reason, String action, String note) {
      events.add("Warning: " + ObjectKey.of(regarding) + ": " + note);
    }

    @Override
    public void close() {}
  }

  @SuppressWarnings("unchecked") // The test knows what it put in.
  static <T extends io.kubernetes.client.common.KubernetesObject, P> Parameters.Source<T, P> cast(
      Parameters.Source<?, P> source) {
    return (Parameters.Source<T, P>) source;
  }

  static Verdict during(Runnable meanwhile, Verdict verdict) {
    meanwhile.run();
    return verdict;
  }

  void evict() {
    changeQuietly(workload -> condition(workload, "Evicted", "True", T0.plusSeconds(11)));
  }

  /** Changes the object on the server; the informer shows it. */
  void change(Consumer<JsonObject> change) {
    changeQuietly(change);
    workloads.sync();
  }

  /** Changes the object on the server; the informer doesn't show it yet. */
  void changeQuietly(Consumer<JsonObject> change) {
    cluster.change(KueueTypes.WORKLOAD, KEY, change);
  }

  AdmissionCheckState entry(String name) {
    return KueueJson.fromTree(
            cluster.raw(KueueTypes.WORKLOAD, KEY), io.github.kueue4j.api.Workload.class)
        .status()
        .admissionCheck(name)
        .orElseThrow();
  }

  JsonObject rawStatus() {
    return cluster.raw(KueueTypes.WORKLOAD, KEY).getAsJsonObject("status");
  }

  JsonObject rawEntry(String name) {
    return entryOf(cluster.raw(KueueTypes.WORKLOAD, KEY), name);
  }

  double dropped(String cause) {
    return meters.get("kueue4j.check.verdicts.dropped").tag("cause", cause).counter().count();
  }

  double written(String state, String reason) {
    return meters
        .get("kueue4j.check.verdicts")
        .tag("state", state)
        .tag("reason", reason)
        .counter()
        .count();
  }

  static JsonObject entryOf(JsonObject workload, String name) {
    for (var entry : workload.getAsJsonObject("status").getAsJsonArray("admissionChecks")) {
      if (entry.getAsJsonObject().get("name").getAsString().equals(name)) {
        return entry.getAsJsonObject();
      }
    }
    throw new AssertionError("no entry " + name);
  }

  static void removeEntry(JsonObject status, String name) {
    JsonArray kept = new JsonArray();
    for (var entry : status.getAsJsonArray("admissionChecks")) {
      if (!entry.getAsJsonObject().get("name").getAsString().equals(name)) {
        kept.add(entry);
      }
    }
    status.add("admissionChecks", kept);
  }

  static void condition(JsonObject workload, String type, String value, Instant since) {
    JsonArray conditions = new JsonArray();
    for (var condition : workload.getAsJsonObject("status").getAsJsonArray("conditions")) {
      if (!condition.getAsJsonObject().get("type").getAsString().equals(type)) {
        conditions.add(condition);
      }
    }
    JsonObject condition = new JsonObject();
    condition.addProperty("type", type);
    condition.addProperty("status", value);
    condition.addProperty("reason", "AdmissionCheck");
    condition.addProperty("message", "");
    condition.addProperty("lastTransitionTime", since.toString());
    conditions.add(condition);
    workload.getAsJsonObject("status").add("conditions", conditions);
  }

  static String check(String name, String controllerName) {
    return """
        {"metadata": {"name": "%s", "uid": "%s"}, "spec": {"controllerName": "%s"}}
        """
        .formatted(name, name, controllerName);
  }

  void reserved(Instant since) {
    cluster.put(
        KueueTypes.WORKLOAD,
        """
        {
          "metadata": {"namespace": "team-a", "name": "train", "uid": "uid-1", "generation": 1,
            "labels": {"team": "a"},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "train-job",
              "uid": "job-1", "controller": true}]},
          "spec": {"queueName": "lq", "podSets": [{"name": "main", "count": 2, "template":
            {"spec": {"containers": [{"name": "c", "resources":
              {"requests": {"cpu": "2", "nvidia.com/gpu": "1"}}}]}}}]},
          "status": {
            "newInAnotherVersion": {"b": 1, "a": [2.50, "x"]},
            "admission": {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "count": 2,
              "flavors": {"cpu": "a100", "nvidia.com/gpu": "a100"},
              "resourceUsage": {"cpu": "4", "nvidia.com/gpu": "2"}}]},
            "conditions": [{"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved",
              "message": "", "lastTransitionTime": "%1$s"}],
            "admissionChecks": [
              {"state": "Pending", "name": "another", "message": "", "lastTransitionTime": "%1$s",
               "unknown": {"z": 1, "a": 2}},
              {"name": "budget", "state": "Pending", "message": "", "lastTransitionTime": "%1$s",
               "fromTheFuture": "kept"}]
          }
        }
        """
            .formatted(since));
    if (workloads.list().isEmpty()) {
      workloads.sync();
    }
  }
}
