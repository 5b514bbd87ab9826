// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionMode;
import io.github.kueue4j.api.AdmissionScope;
import io.github.kueue4j.api.BorrowWithinCohort;
import io.github.kueue4j.api.BorrowWithinCohortPolicy;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueuePodsReady;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FlavorFungibility;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.PodsReadyRequeuingStrategy;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.quota.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The features that the configuration switches off, and the fields that therefore have no effect.
 * Warnings of the webhooks and the conditions Active of queues tell it, in sentences without their
 * period.
 *
 * @param pastUsage admission fair sharing
 * @param shares fair sharing by shares
 * @param gates the feature gates
 * @param podsReady the configuration's waiting for pods
 */
@API(status = API.Status.INTERNAL)
public record SwitchedOff(
    boolean pastUsage, boolean shares, FeatureGates gates, WaitForPodsReady podsReady) {
  private static final String NO_EFFECT = " has no effect: ";
  private static final String SCOPE = "spec.admissionScope" + NO_EFFECT;
  private static final String WEIGHT = "spec.fairSharing.weight" + NO_EFFECT;
  private static final String BORROW = "spec.preemption.borrowWithinCohort";
  private static final Map<String, FeatureGate> BY_GATE =
      Map.of(
          AdmissionGates.ANNOTATION, FeatureGate.ADMISSION_GATED_BY,
          WorkloadPriority.BOOST, FeatureGate.PRIORITY_BOOST);
  private static final String PODS_READY = "spec.waitForPodsReady";
  private static final String NO_PAST_USAGE =
      "admission fair sharing is off (admissionFairSharing of the configuration)";

  /** The features that a configuration switches off. */
  public static SwitchedOff by(Configuration configuration) {
    return new SwitchedOff(
        configuration.usagePolicy().isEmpty(),
        configuration.fairSharingStrategies().isEmpty(),
        configuration.featureGates(),
        configuration.podsReady());
  }

  /** The parts of a ClusterQueue that have no effect. */
  public List<String> of(ClusterQueue queue) {
    ClusterQueueSpec spec = queue.spec();
    List<String> found = new ArrayList<>();
    boolean alone = isEmpty(spec.cohortName());
    scopeAndWeight(spec.admissionScope(), spec.fairSharing(), alone, "cohortName", found);
    if (!gates.enabled(FeatureGate.FLAVOR_FUNGIBILITY)
        && !spec.flavorFungibility().equals(FlavorFungibility.defaults())) {
      found.add("spec.flavorFungibility" + off(FeatureGate.FLAVOR_FUNGIBILITY));
    }
    podsReady(spec, found);
    BorrowWithinCohort borrow = spec.preemption().borrowWithinCohort();
    boolean never = borrow.policy().equals(BorrowWithinCohortPolicy.NEVER);
    if (alone && !spec.preemption().reclaimWithinCohort().equals(ReclaimPolicy.NEVER)) {
      found.add("spec.preemption.reclaimWithinCohort" + NO_EFFECT + "there is no cohortName");
    }
    if (alone && !never) {
      found.add(BORROW + NO_EFFECT + "there is no cohortName");
    } else if (!never && !shares) {
      found.add(BORROW + NO_EFFECT + "fair shares decide (fairSharing of the configuration)");
    }
    if (never && borrow.maxPriorityThreshold() != null) {
      found.add(BORROW + ".maxPriorityThreshold" + NO_EFFECT + "policy is Never");
    }
    return found;
  }

  private void podsReady(ClusterQueueSpec spec, List<String> found) {
    ClusterQueuePodsReady own = spec.waitForPodsReady();
    if (own == null) {
      return;
    }
    PodsReadyPolicy policy = podsReady.in(spec).orElse(null);
    if (policy == null) {
      found.add(PODS_READY + NO_EFFECT + "the feature gate DisableWaitForPodsReady is on");
      return;
    }
    if (own.timeout() != null && !own.timeout().isPositive()) {
      found.add(
          PODS_READY
              + ".timeout"
              + NO_EFFECT
              + "it isn't positive, so that "
              + GoDuration.format(policy.timeout())
              + " counts");
    }
    PodsReadyRequeuingStrategy strategy = own.requeuingStrategy();
    if (strategy != null && strategy.backoffBaseSeconds() != null && policy.baseIsCut()) {
      found.add(
          PODS_READY
              + ".requeuingStrategy.backoffBaseSeconds"
              + NO_EFFECT
              + "no delay is longer than backoffMaxSeconds, "
              + policy.backoffMax().toSeconds());
    }
  }

  /** The parts of a Cohort that have no effect. */
  public List<String> of(Cohort cohort) {
    List<String> found = new ArrayList<>();
    scopeAndWeight(
        cohort.spec().admissionScope(),
        cohort.spec().fairSharing(),
        isEmpty(cohort.spec().parentName()),
        "parentName",
        found);
    return found;
  }

  /** The parts of a LocalQueue that have no effect. */
  public List<String> of(LocalQueue queue) {
    return pastUsage && weighs(queue.spec().fairSharing())
        ? List.of(WEIGHT + NO_PAST_USAGE)
        : List.of();
  }

  /**
   * The parts of a LocalQueue that have no effect.
   *
   * @param ordered whether past usage orders admission in its ClusterQueue
   */
  public List<String> of(LocalQueue queue, boolean ordered) {
    return !pastUsage && !ordered && weighs(queue.spec().fairSharing())
        ? List.of(WEIGHT + "past usage orders nothing in its ClusterQueue (spec.admissionScope)")
        : of(queue);
  }

  /**
   * The remark that the weight of a ClusterQueue or Cohort with another above has no effect, since
   * neither shares nor past usage are compared there.
   *
   * @param ordered whether past usage orders admission below one of the Cohorts above
   */
  public List<String> ofWeight(@Nullable FairSharing sharing, boolean ordered) {
    return shares && !pastUsage && !ordered && weighs(sharing)
        ? List.of(
            WEIGHT
                + "past usage orders nothing below a Cohort above (spec.admissionScope), and"
                + " fairSharing of the configuration is off")
        : List.of();
  }

  /** The parts of a Workload that have no effect. */
  public List<String> of(Workload workload) {
    Map<String, String> annotations = Metadata.annotations(workload);
    List<String> found = new ArrayList<>();
    new TreeMap<>(BY_GATE)
        .forEach(
            (key, gate) -> {
              if (annotations.containsKey(key) && !gates.enabled(gate)) {
                found.add("metadata.annotations[" + key + "]" + off(gate));
              }
            });
    return found;
  }

  /** The parts of an AdmissionCheck that have no effect. */
  public List<String> of(AdmissionCheck check) {
    return check.spec().retry() == null || gates.enabled(FeatureGate.AC_REQUEUE_AFTER)
        ? List.of()
        : List.of("spec.retry" + off(FeatureGate.AC_REQUEUE_AFTER));
  }

  private static String off(FeatureGate gate) {
    return NO_EFFECT + "the feature gate " + gate.gateName() + " is off";
  }

  /**
   * Adds what of two fields has no effect.
   *
   * @param alone whether no Cohort is above
   * @param above the field that would name it
   */
  private void scopeAndWeight(
      @Nullable AdmissionScope scope,
      @Nullable FairSharing sharing,
      boolean alone,
      String above,
      List<String> found) {
    if (pastUsage && isByUsage(scope)) {
      found.add(SCOPE + NO_PAST_USAGE);
    }
    if (pastUsage && shares && weighs(sharing)) {
      found.add(WEIGHT + "neither fairSharing nor admissionFairSharing of the configuration is on");
    } else if (alone && weighs(sharing)) {
      found.add(WEIGHT + "there is no " + above);
    }
  }

  private static boolean isEmpty(@Nullable String name) {
    return name == null || name.isEmpty();
  }

  private static boolean weighs(@Nullable FairSharing sharing) {
    return Weights.of(sharing) != 1;
  }

  /** Whether a scope orders admission by past usage. */
  public static boolean isByUsage(@Nullable AdmissionScope scope) {
    return scope != null
        && scope.admissionMode().equals(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
  }

  /** The remark that another scope counts instead of a ClusterQueue's own. */
  public static String overruledBy(String cohort) {
    return SCOPE + "that of Cohort " + cohort + " above counts";
  }

  /**
   * Why an admission scope that a ClusterQueue or a Cohort above it has is without effect, as the
   * core states it; empty if it states nothing of it.
   */
  public static Optional<String> scopeOf(ClusterQueue queue) {
    return Conditions.find(queue.status().conditions(), Health.ACTIVE)
        .map(Condition::message)
        .flatMap(
            message ->
                Arrays.stream(message.split("\\. "))
                    .filter(sentence -> sentence.contains(SCOPE))
                    .findFirst());
  }
}
