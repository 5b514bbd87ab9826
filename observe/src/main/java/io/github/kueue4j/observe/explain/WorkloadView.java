// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckRetryLimits;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckOrder;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.status.SwitchedOff;
import io.github.kueue4j.jobs.JobWorkload;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An existing Workload at an instant, with accessors for its fields as text and evidence. */
record WorkloadView(ExplainInput around, Workload workload, Instant now) {
  /** How long the core may take for a step before that is reported as overdue. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  ObjectKey key() {
    return ObjectKey.of(workload);
  }

  Finding finding(Reason reason, String summary) {
    return new Finding(key(), reason, summary);
  }

  WorkloadConditions conditions() {
    return workload.conditions();
  }

  Evidence seen(String field, String value) {
    return Evidence.of("Workload", key(), field, value);
  }

  /** A condition as evidence, or its absence. */
  Evidence seen(String conditionType) {
    return seen(
        "status.conditions[" + conditionType + "]",
        conditions().find(conditionType).map(Evidence::words).orElse("absent"));
  }

  Evidence seen(AdmissionCheckState entry) {
    StringBuilder words = new StringBuilder(entry.state().value());
    words.append(" since ").append(entry.lastTransitionTime());
    if (entry.requeueAfterSeconds() != null) {
      words.append(", requeueAfterSeconds ").append(entry.requeueAfterSeconds());
    }
    if (entry.retryCount() != null) {
      words.append(", retryCount ").append(entry.retryCount());
    }
    if (!entry.message().isEmpty()) {
      words.append(": ").append(entry.message());
    }
    if (observes(entry.name())) {
      words.append(" (its check is in the mode Observe, and nothing waits for it)");
    }
    return seen("status.admissionChecks[" + entry.name() + "]", words.toString());
  }

  Phase phase() {
    return Phase.of(workload, required());
  }

  /** The checks that count now: of the assigned flavors, or of the whole queue. */
  Set<String> required() {
    ClusterQueue queue = around.clusterQueue();
    return queue == null && around.mayRead(KueueTypes.CLUSTER_QUEUE)
        ? Set.of()
        : required(queue, workload);
  }

  /**
   * If the ClusterQueue is unknown, those of the status: the core keeps the required ones there.
   */
  static Set<String> required(@Nullable ClusterQueue queue, Workload workload) {
    if (queue == null) {
      return workload.status().admissionChecks().stream()
          .map(AdmissionCheckState::name)
          .collect(Collectors.toUnmodifiableSet());
    }
    var admission = workload.status().admission();
    return admission != null && Phase.holdsQuota(workload)
        ? CheckStrategy.ofAssignment(queue.spec(), admission)
        : CheckStrategy.ofAnyFlavor(queue.spec());
  }

  List<AdmissionCheckState> entries(CheckState state) {
    Set<String> required = required();
    return workload.status().admissionChecks().stream()
        .filter(entry -> entry.is(state) && required.contains(entry.name()))
        .filter(entry -> !observes(entry.name()) && !overruled(entry))
        .toList();
  }

  /** The required checks of which one is enough, with this one, as far as they may be read. */
  SortedSet<String> alternatives(String name) {
    return CheckStrategy.alternatives(name, required(), other -> Optional.ofNullable(check(other)));
  }

  /** The answers of a check and its alternatives. */
  List<AdmissionCheckState> answers(String name) {
    SortedSet<String> alternatives = alternatives(name);
    return workload.status().admissionChecks().stream()
        .filter(entry -> alternatives.contains(entry.name()))
        .toList();
  }

  /** Whether a check or an alternative to it is Ready; the record of an answer is no Ready. */
  boolean isReady(String name) {
    return answers(name).stream()
        .anyMatch(entry -> entry.is(CheckState.READY) && ObservedAnswer.of(entry).isEmpty());
  }

  /**
   * Whether it is a Retry or Rejected to which an alternative has said Ready, or may still: what is
   * admitted isn't asked again.
   */
  boolean overruled(AdmissionCheckState entry) {
    return refuses(entry)
        && (conditions().admitted()
            ? isReady(entry.name())
            : !answers(entry.name()).stream().allMatch(WorkloadView::refuses));
  }

  private static boolean refuses(AdmissionCheckState entry) {
    return entry.is(CheckState.RETRY) || entry.is(CheckState.REJECTED);
  }

  /** Says of which checks one is enough; empty if all of these are needed. */
  String anyOf(String name) {
    SortedSet<String> alternatives = alternatives(name);
    return alternatives.size() == 1
        ? ""
        : " Of " + String.join(", ", alternatives) + " one Ready is enough.";
  }

  /** Whether a check is in the mode Observe, as far as it may be read. */
  boolean observes(String name) {
    AdmissionCheck check = check(name);
    return check != null && CheckMode.observes(check);
  }

  /**
   * The required checks that have no entry because they come after others, each with those of them
   * that aren't Ready; without these where the check may not be read.
   */
  SortedMap<String, SortedSet<String>> withheld() {
    boolean readable = around.mayRead(KueueTypes.ADMISSION_CHECK);
    String remembered =
        conditions()
            .find(WorkloadConditions.WITHHELD_CHECKS)
            .map(condition -> " " + condition.message())
            .orElse("");
    Set<String> required = new TreeSet<>(required());
    if (readable && CheckStage.asks(workload)) {
      required.removeIf(
          name -> {
            AdmissionCheck check = check(name);
            return check == null || !CheckStage.beforeQuota(check);
          });
    }
    SortedMap<String, SortedSet<String>> withheld = new TreeMap<>();
    for (String name : required) {
      if (workload.status().admissionCheck(name).isPresent()) {
        continue;
      }
      SortedSet<String> open = CheckOrder.before(name, other -> after(required, other));
      open.removeIf(other -> !required.contains(other) || observes(other) || isReady(other));
      boolean said = !readable && remembered.contains(" " + name + "=");
      if (said || !open.isEmpty()) {
        withheld.put(name, open);
      }
    }
    return withheld;
  }

  private Set<String> after(Set<String> required, String name) {
    Set<String> after = new TreeSet<>();
    if (required.contains(name)) {
      for (String alternative : alternatives(name)) {
        AdmissionCheck check = check(alternative);
        if (check != null) {
          after.addAll(CheckOrder.after(check));
        }
      }
    }
    return after;
  }

  /** Says of each such check when it is asked; empty if there is none. */
  String askedLater() {
    StringBuilder text = new StringBuilder();
    withheld()
        .forEach(
            (name, open) ->
                text.append(" The check \"")
                    .append(name)
                    .append("\" is asked once ")
                    .append(open.isEmpty() ? "those before it are" : String.join(" and ", open))
                    .append(open.isEmpty() ? "" : open.size() == 1 ? " is" : " are")
                    .append(" Ready."));
    return text.toString();
  }

  /** What the checks say for which nothing waits, and what they said before they were enforced. */
  List<Evidence> observed() {
    return workload.status().admissionChecks().stream()
        .filter(entry -> observes(entry.name()) || ObservedAnswer.of(entry).isPresent())
        .map(this::seen)
        .toList();
  }

  /** The check; null if it doesn't exist or may not be read. */
  @Nullable AdmissionCheck check(String name) {
    return around.checks().get(name);
  }

  /** The parent that a Cohort names; null if it names none or doesn't exist. */
  @Nullable String parentOf(String cohort) {
    Cohort object = around.cohorts().get(cohort);
    return object == null ? null : object.spec().parentName();
  }

  /** The effective priority, as far as the core's configuration is known. */
  int priority(Workload other) {
    Configuration configuration = around.configuration();
    return WorkloadPriority.of(
            other,
            configuration != null
                && configuration.featureGates().enabled(FeatureGate.PRIORITY_BOOST))
        .effective();
  }

  /** The policy for pods; only that of the ClusterQueues if the core's configuration is unknown. */
  WaitForPodsReady podsReady() {
    Configuration configuration = around.configuration();
    return configuration == null ? WaitForPodsReady.ifAsked() : configuration.podsReady();
  }

  /** The delay of an entry in Retry. */
  AskedDelay asked(AdmissionCheckState entry) {
    Configuration configuration = around.configuration();
    Duration maximum =
        configuration == null
            ? LifecycleSettings.DEFAULT_MAXIMUM_RETRY_DELAY
            : configuration.extensions().maximumRetryDelay();
    AdmissionCheck check = check(entry.name());
    AdmissionCheckRetryLimits limits = check == null ? null : check.spec().retryLimits();
    Duration longest = limits == null ? null : limits.maxDelay();
    if (longest != null && longest.compareTo(maximum) < 0) {
      return AskedDelay.of(entry, longest, "retryLimits.maxDelay");
    }
    return configuration == null
        ? AskedDelay.of(entry, requeueAt())
        : AskedDelay.of(entry, maximum);
  }

  /** The admission gates that keep it out of its queue; empty if there are none. */
  Optional<String> admissionGates() {
    Configuration configuration = around.configuration();
    return configuration == null
            || configuration.featureGates().enabled(FeatureGate.ADMISSION_GATED_BY)
        ? AdmissionGates.of(workload)
        : Optional.empty();
  }

  /** The pods that it waits for outside its queue, if it does. */
  Optional<String> awaitedPods() {
    return JobWorkload.awaitedPods(workload);
  }

  /** The evidence that the Job runs on although it was suspended. */
  Optional<Evidence> unheeded() {
    return conditions()
        .findTrue(WorkloadConditions.SUSPENSION_UNHEEDED)
        .map(condition -> seen(condition.type()));
  }

  /** Whether the Job runs on since the API server refuses its stop. */
  boolean stopRefused() {
    return conditions()
        .findTrue(WorkloadConditions.SUSPENSION_UNHEEDED)
        .filter(condition -> condition.reason().equals(Jobs.STOP_REFUSED))
        .isPresent();
  }

  /** What the configuration keeps from having an effect, as far as that is known. */
  List<Evidence> inVain() {
    List<Evidence> found = new ArrayList<>();
    ClusterQueue queue = around.clusterQueue();
    if (queue != null) {
      SwitchedOff.scopeOf(queue)
          .ifPresent(
              why ->
                  found.add(
                      Evidence.of(
                          "ClusterQueue",
                          ObjectKey.of(queue).name(),
                          "status.conditions[Active]",
                          why)));
    }
    Configuration configuration = around.configuration();
    if (configuration != null) {
      SwitchedOff.by(configuration)
          .of(workload)
          .forEach(why -> found.add(seen("metadata.annotations", why)));
    }
    return found;
  }

  @Nullable Instant requeueAt() {
    return workload.status().requeueAt();
  }

  Instant createdAt() {
    return createdAt(workload.metadata());
  }

  static Instant createdAt(@Nullable V1ObjectMeta metadata) {
    return Optional.ofNullable(metadata)
        .map(V1ObjectMeta::getCreationTimestamp)
        .map(OffsetDateTime::toInstant)
        .orElse(Instant.EPOCH);
  }

  Optional<ObservedJob> job() {
    return Optional.ofNullable(around.job());
  }

  /** The part of the Job's spec and status that concerns its pods, in one line. */
  Optional<Evidence> seenJob() {
    return job().map(ObservedJob::seen);
  }

  /** The kind of its Job, for a sentence. */
  String jobKind() {
    return job().map(ObservedJob::kind).orElse("Job");
  }

  /** {@code 5m ago} or {@code in 5m}. */
  String relative(Instant when) {
    String span = DurationText.words(Duration.between(now, when));
    return when.isAfter(now) ? "in " + span : span + " ago";
  }

  String since(Instant when) {
    return "for " + DurationText.words(Duration.between(when, now));
  }
}
