// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckSpec;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.Guards;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The remarks that the Active condition of a check that works has besides: what of it and of its
 * parameters has no effect.
 *
 * @param <P> the parameters
 */
final class Remarks<P> {

  /** The field is gone only on servers whose API is older than KEP-3258. */
  private static final String DELAYS_DROPPED =
      "the server does not keep requeueAfterSeconds, so this check waits with its next Retry itself"
          + " while quota stays reserved: upgrade the CRD of Workload";

  private static final String OBSERVES =
      "nothing waits for its answers, which are only recorded: take the annotation "
          + CheckMode.ANNOTATION
          + " away to have it enforced";

  private static final String OBSERVE_REFUSED =
      "metadata.annotations['"
          + CheckMode.ANNOTATION
          + "'] is 'Observe', and this check can't only observe, since it makes or books something"
          + " for each Workload: leave the annotation out, and try the check on a ClusterQueue of"
          + " its own";

  private static final String BEFORE_QUOTA_REFUSED =
      "metadata.annotations['"
          + CheckStage.ANNOTATION
          + "'] is 'BeforeQuota', and this check can't answer before quota, since it makes"
          + " something for each reservation, or needs to know its flavors: leave the annotation"
          + " out";

  private static final String STAGE_UNUSED =
      "the annotation "
          + CheckStage.ANNOTATION
          + " has no effect on a check that only observes, which is asked with quota";

  private static final String READY_FOR_UNUSED =
      "the annotation %s has no effect without %s: BeforeQuota"
          .formatted(CheckStage.READY_FOR, CheckStage.ANNOTATION);

  private static final String RETRY_UNUSED =
      "spec.retry has no effect, since this check names the delay of each Retry: leave it out, and"
          + " bound its delays by spec.retryLimits";

  /** Workloads come and go, and with them the resources that they ask for; so do flavors. */
  private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(Remarks.class);

  private final Check<P> author;
  private final boolean namesDelays;
  private final DroppedDelays droppedDelays;
  private final Guards guards;
  private final Supplier<List<Workload>> workloads;
  private final Supplier<List<ResourceFlavor>> flavors;
  private final Set<String> aboutOthers = ConcurrentHashMap.newKeySet();

  /**
   * Has said nothing yet.
   *
   * @param namesDelays whether each Retry of the check has a delay of its own
   * @param workloads all of them
   * @param flavors all of them
   */
  Remarks(
      Check<P> author,
      boolean namesDelays,
      DroppedDelays droppedDelays,
      Guards guards,
      Supplier<List<Workload>> workloads,
      Supplier<List<ResourceFlavor>> flavors) {
    this.author = author;
    this.namesDelays = namesDelays;
    this.droppedDelays = droppedDelays;
    this.guards = guards;
    this.workloads = workloads;
    this.flavors = flavors;
  }

  /** Why the check can't work in the mode that its annotation names; empty if it can. */
  Optional<String> faultyMode(AdmissionCheck check) {
    return CheckMode.observes(check) && !author.observable()
        ? Optional.of(OBSERVE_REFUSED)
        : CheckMode.problem(check);
  }

  /** Why the check can't work in the stage that its annotation names; empty if it can. */
  Optional<String> faultyStage(AdmissionCheck check) {
    return CheckStage.beforeQuota(check) && !author.answersBeforeQuota()
        ? Optional.of(BEFORE_QUOTA_REFUSED)
        : CheckStage.problem(check);
  }

  /** Each with its remedy. */
  List<String> on(AdmissionCheck check, P parameters) {
    String name = check.key().name();
    List<String> remarks = new ArrayList<>();
    if (CheckMode.observes(check)) {
      remarks.add(OBSERVES);
    }
    if (CheckMode.observes(check) && CheckStage.isSetBeforeQuota(check)) {
      remarks.add(STAGE_UNUSED);
    }
    if (CheckStage.readyForIsUnused(check)) {
      remarks.add(READY_FOR_UNUSED);
    }
    if (droppedDelays.affect(name)) {
      remarks.add(DELAYS_DROPPED);
    }
    AdmissionCheckSpec spec = check.spec();
    // The core's own Retry, of a check that stays silent, is delayed by it.
    if (namesDelays && spec.retry() != null && spec.pendingTimeoutSeconds() == null) {
      remarks.add(RETRY_UNUSED);
    }
    ofAuthor(name, parameters).forEach(remark -> remarks.add("its parameters: " + remark));
    return remarks;
  }

  /** When they may be others, if not only when something of the check changes. */
  Optional<Instant> next(String check, InstantSource steady) {
    return aboutOthers.contains(check)
        ? Optional.of(steady.instant().plus(LOOK_EVERY))
        : Optional.empty();
  }

  /** A mistake of the author here must not hide whether the check works. */
  private List<String> ofAuthor(String check, P parameters) {
    aboutOthers.remove(check);
    Circumstances at =
        new Circumstances(
            guards.timeout(),
            Optional.ofNullable(guards.longestDelay()),
            () -> {
              aboutOthers.add(check);
              return workloads.get().stream()
                  .flatMap(Remarks::requested)
                  .collect(Collectors.toSet());
            },
            () -> {
              aboutOthers.add(check);
              return flavors.get().stream()
                  .map(flavor -> flavor.key().name())
                  .collect(Collectors.toSet());
            });
    try {
      return List.copyOf(author.remarks(parameters, at));
    } catch (RuntimeException e) {
      log.atWarn().addKeyValue("check", check).setCause(e).log("remarks of the check failed");
      return List.of();
    }
  }

  private static Stream<String> requested(Workload workload) {
    return workload.spec().podSets().stream()
        .flatMap(podSet -> PodRequests.of(podSet.template().getSpec()).keySet().stream());
  }
}
