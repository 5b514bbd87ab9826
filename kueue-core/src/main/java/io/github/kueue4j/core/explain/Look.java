/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Workload that exists, at one moment, with what its fields say. */
record Look(Surroundings around, Workload workload, Instant now) {
  /** How long the core may take for a step before somebody should worry. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  ObjectKey key() {
    return ObjectKey.of(workload);
  }

  Finding finding(Reason reason, String summary) {
    return new Finding(key(), reason, summary);
  }

  Optional<Condition> condition(String type) {
    return Conditions.find(workload.status().conditions(), type);
  }

  boolean isTrue(String type) {
    return Conditions.isTrue(workload.status().conditions(), type);
  }

  /** The reason of a condition with this status, or an empty text. */
  String reasonOf(String type, String status) {
    return condition(type)
        .filter(condition -> condition.status().equals(status))
        .map(Condition::reason)
        .orElse("");
  }

  Evidence seen(String field, String value) {
    return Evidence.of("Workload", key(), field, value);
  }

  /** The condition as evidence, or that there is none. */
  Evidence seen(String conditionType) {
    return seen(
        "status.conditions[" + conditionType + "]",
        condition(conditionType).map(Evidence::words).orElse("absent"));
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
    return seen("status.admissionChecks[" + entry.name() + "]", words.toString());
  }

  Phase phase() {
    return Phase.of(workload, required());
  }

  /** The checks that count now: of the assigned flavors, or of the whole queue. */
  Set<String> required() {
    return required(around.clusterQueue(), workload);
  }

  static Set<String> required(@Nullable ClusterQueue queue, Workload workload) {
    if (queue == null) {
      return Set.of();
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
        .toList();
  }

  @Nullable AdmissionCheck check(String name) {
    return around.checks().get(name);
  }

  /** The parent that a Cohort names; null if it names none or doesn't exist. */
  @Nullable String parentOf(String cohort) {
    Cohort object = around.cohorts().get(cohort);
    return object == null ? null : object.spec().parentName();
  }

  /** What decides who goes before whom; as far as the core's configuration is known. */
  int priority(Workload other) {
    Configuration configuration = around.configuration();
    return WorkloadPriority.of(
            other,
            configuration != null
                && configuration.featureGates().enabled(FeatureGate.PRIORITY_BOOST))
        .effective();
  }

  /** Whether and how pods are waited for; what ClusterQueues say alone if nobody knows. */
  WaitForPodsReady podsReady() {
    Configuration configuration = around.configuration();
    return configuration == null ? WaitForPodsReady.ifAsked() : configuration.podsReady();
  }

  @Nullable Instant requeueAt() {
    var state = workload.status().requeueState();
    return state == null ? null : state.requeueAt();
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

  Optional<JobSeen> job() {
    return Optional.ofNullable(around.job());
  }

  /** What the Job's spec and status say about its pods, in one line. */
  Optional<Evidence> seenJob() {
    return job().map(JobSeen::seen);
  }

  /** What it stands for, in a sentence. */
  String jobKind() {
    return job().map(JobSeen::kind).orElse("Job");
  }

  /** {@code 5m ago} or {@code in 5m}. */
  String relative(Instant when) {
    String span = Spans.words(Duration.between(now, when));
    return when.isAfter(now) ? "in " + span : span + " ago";
  }

  String since(Instant when) {
    return "for " + Spans.words(Duration.between(when, now));
  }
}
