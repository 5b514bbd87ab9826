// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.cli.install.Definitions;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import io.github.kueue4j.provisioning.ProvisioningCheck;
import io.github.kueue4j.provisioning.ProvisioningOptions;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.common.KubernetesObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An AdmissionCheck, its parameters, its queue and a Workload are deleted and made anew under the
 * same names, in any order and at once, again and again: the check is asked about each new
 * Workload, or the Workload's entry says what stands in the way.
 */
@ResourceLock(providers = MadeAnewTest.AloneWhereItMeasures.class)
@PossibleLog(
    logger = "GuardedReconciler",
    message = "Reconcile failed; retrying",
    because = "what it writes may have been deleted")
class MadeAnewTest {
  /** How soon the check is asked counts in a nightly build only, see {@link #SLOW_ROUNDS}. */
  static final class AloneWhereItMeasures implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForClass(Class<?> testClass) {
      return Nightly.isOn() ? Set.of(new Lock(Resources.GLOBAL)) : Set.of();
    }
  }

  /** Of each of the four tests. */
  private static final int ROUNDS = Nightly.bound(8, 500);

  /** One second, and the one for which the core pauses when a queue goes while it reserves. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /**
   * A slow machine isn't a fault; what waits for a timer of the core or the check is later. Only a
   * nightly build has the rounds to tell the two apart.
   */
  private static final int SLOW_ROUNDS = Nightly.bound(ROUNDS, ROUNDS / 20);

  private static final Duration PATIENCE = Patience.LIMIT;

  private static final ObjectKey WORKLOAD = new ObjectKey("ml", "train");

  private static final List<String> OBJECTS =
      List.of(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: AdmissionCheck
          metadata: {name: room}
          spec:
            controllerName: %s
            parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: room}
          """,
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ProvisioningRequestConfig
          metadata: {name: room}
          spec: {provisioningClassName: none.example.com}
          """,
          QueueYaml.clusterQueue(
              "ml", 4, "admissionChecksStrategy: {admissionChecks: [{name: room}]}"),
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: train, namespace: ml}
          spec:
            queueName: main
            podSets:
            - name: main
              count: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - {name: c, image: example.com/c, resources: {requests: {cpu: "1"}}}
          """);

  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  @TempDir private Path folder;

  /** With a check whose method does nothing but answer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theCheckIsAsked(boolean garbageCollector) throws Exception {
    run(
        garbageCollector,
        "example.com/room",
        connection ->
            CheckController.builder("example.com/room", connection)
                .check(
                    Parameters.from(KueueTypes.PROVISIONING_REQUEST_CONFIG),
                    evaluation -> {
                      asked.add(Uids.of(evaluation.workload()));
                      return Verdict.pending("asked");
                    })
                .build(),
        (api, workload) -> asked.contains(Uids.of(workload)));
  }

  /** With one whose objects have the names of those of the Workload before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void capacityIsAskedFor(boolean garbageCollector) throws Exception {
    run(
        garbageCollector,
        ProvisioningOptions.defaults().controllerName(),
        connection ->
            ProvisioningCheck.controller(
                CheckEnvironment.of(connection), ProvisioningOptions.defaults()),
        (api, workload) ->
            request(api)
                .filter(request -> request.metadata().getDeletionTimestamp() == null)
                .filter(request -> isOf(request, workload))
                .isPresent());
  }

  private interface ControllerOf {
    CheckController on(ClusterConnection connection);
  }

  private interface Asked {
    boolean about(KubernetesApi api, Workload workload);
  }

  private void run(boolean garbageCollector, String name, ControllerOf controller, Asked isAsked)
      throws Exception {
    EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder();
    try (EmbeddedApiServer server =
            garbageCollector ? builder.start() : builder.keepsOrphans().start();
        TimeSource time = TimeSource.system()) {
      Target target = Target.of(server.kubeconfig(folder.resolve("kubeconfig")));
      try (ClusterConnection connection = target.connect("administrator")) {
        Definitions.installKueueUnconverted(connection.api());
        Definitions.installExternal(connection.api());
        KubernetesApi api = connection.api();
        Manifests.parse(QueueYaml.ML.cpus(4)).createIn(api);
        api.delete(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("ml"), DeleteOptions.background());
        List<Thing> things =
            OBJECTS.stream().map(yaml -> Thing.of(api, yaml.replace("%s", name))).toList();
        try (RunningCore core = RunningCore.start(target, Playground.quietConfiguration(), time);
            ClusterConnection own = target.connect("check");
            CheckController check = controller.on(own)) {
          await().until(core::leading);
          check.start();
          repeat(api, things, isAsked);
        }
      }
    }
  }

  private static void repeat(KubernetesApi api, List<Thing> things, Asked isAsked) {
    things.forEach(thing -> assertThat(thing.created()).as(thing.kind()).isTrue());
    List<String> late = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<String> order = new Round(things, new Random(round)).carryOut();
      long begin = System.nanoTime();
      Predicate<Workload> settled =
          workload -> isAsked.about(api, workload) || saysWhatStandsInTheWay(workload);
      awaitSettled(api, things, settled, "round " + round + ": " + order);
      Duration took = Duration.ofNanos(System.nanoTime() - begin);
      if (took.compareTo(SOON) > 0) {
        late.add(took.toMillis() + " ms in round " + round + ": " + order);
      }
    }
    assertThat(late).hasSizeLessThanOrEqualTo(SLOW_ROUNDS);
  }

  private static void awaitSettled(
      KubernetesApi api, List<Thing> things, Predicate<Workload> settled, String round) {
    try {
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> api.get(KueueTypes.WORKLOAD, WORKLOAD).filter(settled).isPresent());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(round + " left " + things.stream().map(Thing::now).toList(), e);
    }
  }

  private static boolean saysWhatStandsInTheWay(Workload workload) {
    return workload
        .status()
        .admissionCheck("room")
        .filter(entry -> entry.is(CheckState.PENDING))
        .map(AdmissionCheckState::message)
        .filter(
            message ->
                message.startsWith("The check is not active:")
                    || message.startsWith("Replacing a provisioning request"))
        .isPresent();
  }

  private static Optional<ProvisioningRequest> request(KubernetesApi api) {
    return api.get(KueueTypes.PROVISIONING_REQUEST, new ObjectKey("ml", "train-room-1"));
  }

  private static boolean isOf(ProvisioningRequest request, Workload workload) {
    return Optional.ofNullable(request.metadata().getOwnerReferences()).orElse(List.of()).stream()
        .anyMatch(owner -> Uids.of(workload).equals(owner.getUid()));
  }

  /** One of the objects. */
  private record Thing(KubernetesApi api, Manifests.Manifest<?> manifest) {
    static Thing of(KubernetesApi api, String yaml) {
      return new Thing(api, Manifests.parse(yaml).objects().getFirst());
    }

    /** Whether it could be created; what is deleted may be in use until another is, too. */
    boolean created() {
      return created(manifest);
    }

    private <T extends KubernetesObject> boolean created(Manifests.Manifest<T> one) {
      try {
        api.create(one.type(), one.object());
        return true;
      } catch (KubernetesApiException.AlreadyExists e) {
        return false;
      }
    }

    boolean isGoing() {
      return api.get(manifest.type(), ObjectKey.of(manifest.object()))
          .filter(object -> object.getMetadata().getDeletionTimestamp() != null)
          .isPresent();
    }

    void delete() {
      KubernetesObject object = manifest.object();
      api.delete(manifest.type(), ObjectKey.of(object), DeleteOptions.background());
    }

    String now() {
      return api.get(manifest.type(), ObjectKey.of(manifest.object()))
          .map(KueueJson::toJson)
          .orElse("no " + kind());
    }

    String kind() {
      return manifest.type().kind();
    }
  }

  /** Deletes all and makes all anew, each of them at random times. */
  private static final class Round {
    private final List<Thing> things;
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final List<String> order = new ArrayList<>();
    private final Instant giveUp = Instant.now().plus(PATIENCE);

    Round(List<Thing> things, Random random) {
      this.things = things;
      List<Thing> twice = new ArrayList<>(things);
      twice.addAll(things);
      Collections.shuffle(twice, random);
      Set<Thing> deleted = ConcurrentHashMap.newKeySet();
      for (Thing thing : twice) {
        if (deleted.add(thing)) {
          steps.add(
              () -> {
                thing.delete();
                order.add("delete " + thing.kind());
              });
        } else {
          steps.add(() -> create(thing));
        }
      }
    }

    private void create(Thing thing) {
      if (Instant.now().isAfter(giveUp)) {
        throw new AssertionError("after " + order + " this can't be created: " + thing.now());
      }
      // The new queue would keep the old check in use.
      boolean keepsOther =
          thing.kind().equals("ClusterQueue")
              && (!order.contains("delete AdmissionCheck") || things.getFirst().isGoing());
      if (keepsOther || !thing.created()) {
        steps.add(() -> create(thing));
      } else {
        order.add("create " + thing.kind());
      }
    }

    List<String> carryOut() {
      while (!steps.isEmpty()) {
        steps.removeFirst().run();
      }
      return List.copyOf(order);
    }
  }
}
