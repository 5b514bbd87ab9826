// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.ServedView;
import io.github.kueue4j.core.ViewedCore;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.SimulatedCluster;
import io.kubernetes.client.openapi.models.V1MutatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A cluster for scenarios: the embedded API server, a core that can be killed, and a time that only
 * the test moves. What happens in it is in {@link ClusterActors}, what can be seen of it in {@link
 * ClusterObservations}; here are the world itself, its cores and its time.
 *
 * <pre>{@code
 * try (TestCluster cluster = new TestCluster()) {
 *   cluster.queue("", "default=1");
 *   cluster.startCore();
 *   cluster.job("job", 1);
 *   cluster.awaitWorkload("job", TestCluster::admitted);
 *   cluster.podsRun("job");
 *   cluster.pass(Duration.ofMinutes(5));
 * }
 * }</pre>
 */
public final class TestCluster implements ClusterActors, ClusterObservations, AutoCloseable {
  public static final String NAMESPACE = "team";
  private static final ObjectKey WEBHOOKS = new ObjectKey("kueue-system", "kueue-webhook-service");

  public final ManualTime time = ManualTime.create();
  public final EmbeddedApiServer server =
      SimulatedCluster.start(
          EmbeddedApiServer.builder()
              .clock(time)
              .kubelets()
              .webhookPatience(Duration.ofMinutes(1)));
  private final ClusterConnection connection =
      SimulatedCluster.connection("scenario", server).connect();
  public final KubernetesApi api = connection.api();
  private final RunningCores cores = new RunningCores(this);
  private final Set<String> silenced = new HashSet<>();

  /** A cluster without a core, with the definitions of Kueue and the namespace {@code team}. */
  public TestCluster() {
    server.applyCrds(Crds.kueue());
    apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
  }

  @Override
  public TestCluster cluster() {
    return this;
  }

  // Its cores.

  public KueueCore startCore() {
    return startCore("");
  }

  /**
   * Starts a core.
   *
   * @param more further lines of its configuration
   */
  public KueueCore startCore(String more) {
    return startCore(more, time);
  }

  /**
   * Starts a core.
   *
   * @param more further lines of its configuration
   * @param pace what spares the API server, instead of this cluster's time
   */
  public KueueCore startCore(String more, TimeSource pace) {
    String listens =
        (more.contains("health:") ? "" : "health: {healthProbeBindAddress: \"0\"}\n")
            + (more.contains("metrics:") ? "" : "metrics: {bindAddress: \"0\"}\n");
    return cores.start("leaderElection: {leaderElect: false}\n" + listens + more, time, pace);
  }

  /** Shows the cores that are started from now on, if their configuration asks for a view. */
  public void view(Function<ViewedCore, ServedView> maker) {
    cores.view(maker);
  }

  /**
   * Starts a core whose webhook the server asks about new Jobs.
   *
   * @param more further lines of its configuration
   */
  public KueueCore startCoreReviewingJobs(String more) {
    return startCoreReviewing(List.of("batch/job"), more);
  }

  /**
   * Starts a core whose webhook the server asks about new objects of these frameworks.
   *
   * @param more further lines of its configuration, which has to name them
   */
  public KueueCore startCoreReviewing(List<String> frameworks, String more) {
    return startCoreReviewing(registration(frameworks).mutating(), more);
  }

  /**
   * Starts a core whose webhooks the server asks about new and changed pods.
   *
   * @param more further lines of its configuration, which has to name the framework {@code pod}
   */
  public KueueCore startCoreReviewingPods(String more) {
    WebhookRegistration registration =
        registration(
            List.of(
                "batch/job",
                "pod",
                "deployment",
                "statefulset",
                "leaderworkerset.x-k8s.io/leaderworkerset"));
    V1ValidatingWebhookConfiguration validating = registration.validating();
    // Those of queues would refuse what the core writes before its port is known.
    validating.setWebhooks(
        Objects.requireNonNull(validating.getWebhooks()).stream()
            .filter(webhook -> webhook.getName().equals("vpod.kb.io"))
            .toList());
    apply(KueueJson.toJson(validating));
    return startCoreReviewing(registration.mutating(), more);
  }

  private static WebhookRegistration registration(List<String> frameworks) {
    return new WebhookRegistration(
        WEBHOOKS,
        WebhookRegistration.allNamespacesBut(WEBHOOKS.namespace()),
        Integrations.of(frameworks),
        null);
  }

  private KueueCore startCoreReviewing(V1MutatingWebhookConfiguration mutating, String more) {
    apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + WEBHOOKS.namespace() + "}}");
    apply(KueueJson.toJson(mutating));
    KueueCore core = startCore("webhook: {port: 0, host: 127.0.0.1}\n" + more);
    server.routeService(WEBHOOKS.namespace(), WEBHOOKS.name(), core.webhookPort());
    return core;
  }

  /** Starts a core that competes for the lease; the namespace {@code kueue-system} must exist. */
  public KueueCore startElectedCore() {
    return cores.start(
        """
        leaderElection: {leaderElect: true}
        health: {healthProbeBindAddress: "0"}
        metrics: {bindAddress: "0"}
        """,
        time,
        time);
  }

  /**
   * Starts a core on a machine whose clock is this cluster's time and may be set: it may advance
   * without the steady time, and stand still while that advances.
   */
  public KueueCore startCoreBeside(TimeSource steady) {
    return cores.start(
        """
        leaderElection: {leaderElect: false}
        health: {healthProbeBindAddress: "0"}
        metrics: {bindAddress: "0"}
        """,
        new TwoClocks(time, steady),
        steady);
  }

  /** What the API shows, and what durations are measured by. */
  private record TwoClocks(TimeSource clock, TimeSource steady) implements TimeSource {
    @Override
    public Instant instant() {
      return clock.instant();
    }

    @Override
    public Cancellable at(Instant when, Runnable task) {
      return clock.at(when, task);
    }

    @Override
    public void close() {
      clock.close();
    }
  }

  /** Kills the core that was started last: it does nothing more, and gives back no lease. */
  public void crashCore() {
    cores.crash();
  }

  // Its server.

  /** The API server answers so many patches of these objects or their statuses with an error. */
  public void failNextPatches(int count, String plural, int code) {
    server
        .faults()
        .failNext(count, RequestMatcher.verbs("patch").and(RequestMatcher.resource(plural)), code);
  }

  /**
   * From now on no watch on this type tells anything, until the fault is closed; cores can settle
   * nevertheless.
   */
  public Fault silence(String plural) {
    silenced.add(plural);
    return server.faults().silenceWatches(RequestMatcher.resource(plural));
  }

  // Its time.

  /**
   * Waits until the running cores have observed everything that was written so far and have nothing
   * to do: a Job that is created now gets its Workload, and nothing else is written meanwhile.
   */
  public void settle() {
    await().alias("the core comes to rest").until(() -> cores.rest(silenced));
  }

  /** Lets time pass at once, as soon as the core has nothing to do any more. */
  public void advance(Duration duration) {
    settle();
    time.advance(duration);
  }

  /** The same, and lets whatever becomes due be carried out. */
  public void pass(Duration duration) {
    advance(duration);
    settle();
  }

  /**
   * Lets time pass until it holds, none while the core has to do: at each look up to the next
   * timer, but a second at least.
   */
  public void passUntil(String what, Predicate<TestCluster> expected) {
    await()
        .alias(what)
        .until(
            () -> {
              settle();
              boolean holds = expected.test(this);
              if (!holds) {
                time.advanceTo(nextTimer(time.instant().plusSeconds(1)));
              }
              return holds;
            });
  }

  private Instant nextTimer(Instant earliest) {
    return time.nextTimer().filter(earliest::isBefore).orElse(earliest);
  }

  // Values that scenarios write and read.

  public static ObjectKey key(String name) {
    return new ObjectKey(NAMESPACE, name);
  }

  /** A merge patch; lists are replaced as a whole. */
  public static MergePatch merge(String json) {
    JsonObject document = JsonParser.parseString(json).getAsJsonObject();
    return new MergePatch(document);
  }

  public static boolean isTrue(Workload workload, String condition) {
    return Conditions.isTrue(workload.status().conditions(), condition);
  }

  public static boolean reserved(Workload workload) {
    return isTrue(workload, WorkloadConditions.QUOTA_RESERVED);
  }

  public static boolean admitted(Workload workload) {
    return isTrue(workload, WorkloadConditions.ADMITTED);
  }

  public static Condition condition(Workload workload, String type) {
    return Conditions.find(workload.status().conditions(), type).orElseThrow();
  }

  @Override
  public void close() {
    cores.close();
    connection.close();
    server.close();
  }
}
