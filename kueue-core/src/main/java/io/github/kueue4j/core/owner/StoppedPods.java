// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.QuotaRelease;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the quota of Jobs that were stopped or deleted until their pods have ended: a pod that
 * terminates still runs, for as long as its grace period, and on a node that lost its connection
 * for a time that the API server can't tell. The core reads the pods once where they have ended,
 * and otherwise again after ever longer pauses, or when the Job changes.
 */
final class StoppedPods {
  private static final Logger log = LoggerFactory.getLogger(StoppedPods.class);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final Duration PAUSE_WITHOUT_QUOTA = Duration.ofMinutes(1);

  /** Pods that end within this time are usual, and not worth an event. */
  private static final Duration TOLD_AFTER = Duration.ofSeconds(5);

  private final KubernetesApi api;
  private final EventRecorder events;
  private final QuotaRelease settings;
  private final InstantSource clock;
  private final Map<ObjectKey, KeptQuota> waits = new ConcurrentHashMap<>();

  /** By Workload, the uids of the pods whose loss was told. */
  private final Map<ObjectKey, Set<String>> toldLost = new ConcurrentHashMap<>();

  /**
   * A Workload whose quota is kept.
   *
   * @param since when its pods were first found to run on
   * @param nextLook when to look again if nothing changes before
   * @param told whether an event says so
   */
  private record KeptQuota(Instant since, Instant nextLook, boolean told) {}

  StoppedPods(KubernetesApi api, EventRecorder events, QuotaRelease settings, InstantSource clock) {
    this.api = api;
    this.events = events;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Whether pods that use the Workload's quota still run.
   *
   * @param selectors of the pods; those that any of them selects count
   */
  boolean run(Workload workload, List<String> selectors) {
    return settings.afterPods()
        && run(workload, read(ObjectKey.of(workload).namespace(), selectors));
  }

  /** Whether any of these pods, which use the Workload's quota, still runs. */
  boolean anyRuns(Workload workload, List<V1Pod> pods) {
    return settings.afterPods() && run(workload, running(pods));
  }

  /**
   * The pods that leave a group and use its quota no more though they haven't ended. For the others
   * it is looked again.
   */
  List<V1Pod> lost(Workload workload, List<V1Pod> leaving) {
    run(workload, running(leaving));
    return lost(leaving);
  }

  /** The pods among these running ones that use no quota any more. */
  List<V1Pod> lost(List<V1Pod> running) {
    return running.stream().filter(pod -> running(List.of(pod)).isNone()).toList();
  }

  private boolean run(Workload workload, RunningPods pods) {
    ObjectKey key = ObjectKey.of(workload);
    if (pods.isNone()) {
      tellLost(workload, pods.lost());
      waits.remove(key);
      return false;
    }
    keep(workload, key, pods);
    return true;
  }

  private void keep(Workload workload, ObjectKey key, RunningPods pods) {
    Instant now = clock.instant();
    KeptQuota before = waits.get(key);
    Instant since = before == null ? now : before.since();
    Duration waited = Duration.between(since, now);
    boolean told = before != null && before.told();
    if (!told && waited.compareTo(TOLD_AFTER) >= 0) {
      told = true;
      events.normal(
          workload,
          "QuotaKept",
          "Stopping",
          "Keeping the quota until the pods of the stopped Job have ended; still running are "
              + RunningPods.describe(pods.counted()));
    }
    waits.put(key, new KeptQuota(since, now.plus(pause(waited)), told));
  }

  /** A quarter of the time that has passed, so that a long wait costs few requests. */
  private static Duration pause(Duration waited) {
    Duration quarter = waited.dividedBy(4);
    if (quarter.compareTo(FIRST_PAUSE) < 0) {
      return FIRST_PAUSE;
    }
    return quarter.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : quarter;
  }

  /** A group is asked again and again while it has them: each is told once. */
  private void tellLost(Workload workload, List<V1Pod> lost) {
    Set<String> told = lost.isEmpty() ? Set.of() : toldLost(workload);
    List<V1Pod> untold = lost.stream().filter(pod -> told.add(Uids.of(pod))).toList();
    if (untold.isEmpty()) {
      return;
    }
    String which = RunningPods.describe(RunningPods.byNode(untold));
    log.atWarn()
        .addKeyValue("workload", ObjectKey.of(workload))
        .addKeyValue("pods", which)
        .log("Released quota although pods on lost nodes may still run");
    events.warning(
        workload,
        "QuotaReleasedOfLostPods",
        "Stopping",
        "Released the quota although pods may still run on nodes that are not ready, after "
            + settings.lostNodeTimeout()
            + ": "
            + which);
  }

  private Set<String> toldLost(Workload workload) {
    return toldLost.computeIfAbsent(ObjectKey.of(workload), key -> ConcurrentHashMap.newKeySet());
  }

  private RunningPods read(String namespace, List<String> selectors) {
    List<V1Pod> pods = new ArrayList<>();
    try {
      for (String selector : selectors) {
        ListOptions options = ListOptions.inNamespace(namespace).withLabelSelector(selector);
        pods.addAll(api.list(CoreTypes.POD, options).items());
      }
    } catch (KubernetesApiException.Forbidden e) {
      // A role from before this version: nothing may get stuck for it.
      log.atWarn()
          .addKeyValue("namespace", namespace)
          .addKeyValue("cause", e.getMessage())
          .log("Can't see whether pods of stopped Jobs still run; their quota is released");
      return RunningPods.NONE;
    }
    return running(pods);
  }

  private RunningPods running(List<V1Pod> pods) {
    Map<String, Boolean> asked = new HashMap<>();
    return RunningPods.of(
        pods,
        clock.instant(),
        settings.lostNodeTimeout(),
        node -> asked.computeIfAbsent(node, this::ready));
  }

  private boolean ready(String node) {
    try {
      return !node.isEmpty()
          && api.get(CoreTypes.NODE, ObjectKey.cluster(node))
              .filter(StoppedPods::ready)
              .isPresent();
    } catch (KubernetesApiException.Forbidden e) {
      log.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("cause", e.getMessage())
          .log("Can't see whether a node is ready; it counts as ready");
      return true;
    }
  }

  private static boolean ready(V1Node node) {
    return node.getStatus() != null
        && Objects.requireNonNullElse(node.getStatus().getConditions(), List.<V1NodeCondition>of())
            .stream()
            .anyMatch(
                condition ->
                    "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  /** When to look at the pods of a Workload again; empty if its quota isn't kept for them. */
  Optional<Instant> nextLook(ObjectKey workload) {
    return Optional.ofNullable(waits.get(workload)).map(KeptQuota::nextLook);
  }

  /**
   * When to look again at what nothing tells of.
   *
   * @param keepsQuota from others
   */
  Instant later(boolean keepsQuota) {
    return clock.instant().plus(keepsQuota ? LONGEST_PAUSE : PAUSE_WITHOUT_QUOTA);
  }

  /** Its pods have ended, or run. */
  void forget(ObjectKey workload) {
    waits.remove(workload);
  }

  /** The Workload is gone. */
  void forgetAll(ObjectKey workload) {
    forget(workload);
    toldLost.remove(workload);
  }
}
