// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PositiveNumber;
import java.util.List;
import java.util.Optional;

/** The rules for managed Jobs. */
final class JobRules {
  private static final String DEFAULT_QUEUE = "default";

  private final FeatureGates gates;
  private final DefaultingContext defaultingContext;

  JobRules(FeatureGates gates, DefaultingContext defaultingContext) {
    this.gates = gates;
    this.defaultingContext = defaultingContext;
  }

  /** The violations of a Job by itself. */
  List<Violation> of(JobTraits job) {
    return of(job, gates);
  }

  static List<Violation> of(JobTraits job, FeatureGates gates) {
    Findings findings = new Findings();
    label(findings, job, JobTraits.QUEUE_NAME);
    label(findings, job, JobTraits.PREBUILT);
    job.annotation(JobTraits.PREBUILT)
        .ifPresent(
            name ->
                findings.invalid(
                    annotationField(JobTraits.PREBUILT), name, Syntax.subdomain(name)));
    job.label(JobTraits.MAXIMUM_TIME)
        .filter(text -> PositiveNumber.read(text).isEmpty())
        .ifPresent(
            text ->
                findings.invalid(
                    labelField(JobTraits.MAXIMUM_TIME),
                    text,
                    "must be an integer greater than 0 and at most 2147483647, in seconds"));
    if (gates.enabled(FeatureGate.ADMISSION_GATED_BY)) {
      AdmissionGateRules.check(findings, job.annotations());
    }
    completions(findings, job);
    if (!job.resumable()) {
      label(findings, job, Keys.POD_GROUP);
      if (job.label(Keys.POD_GROUP).isEmpty() && job.annotation(Keys.POD_GROUP_TOTAL).isPresent()) {
        findings.forbidden(
            annotationField(Keys.POD_GROUP_TOTAL),
            "means nothing without the label " + Keys.POD_GROUP + "; add that, or leave it out");
      }
    }
    return findings.all();
  }

  /** The violations of the minimum parallelism; checked only when it changes. */
  static List<Violation> partialAdmission(JobTraits job) {
    Findings findings = new Findings();
    job.annotation(JobTraits.MIN_PARALLELISM)
        .filter(text -> PositiveNumber.read(text).filter(pods -> pods < job.pods()).isEmpty())
        .ifPresent(
            text ->
                findings.invalid(
                    annotationField(JobTraits.MIN_PARALLELISM),
                    text,
                    "should be between 0 and "
                        + job.pods()
                        + ", both excluded; remove it if fewer pods won't do"));
    return findings.all();
  }

  private static void label(Findings findings, JobTraits job, String key) {
    job.label(key)
        .ifPresent(name -> findings.invalid(labelField(key), name, Syntax.subdomain(name)));
  }

  private static void completions(Findings findings, JobTraits job) {
    String key = JobTraits.COMPLETIONS_EQUAL_PARALLELISM;
    Optional<String> found = job.annotation(key);
    if (found.isEmpty()) {
      return;
    }
    String text = found.get();
    if (!text.equals("true") && !text.equals("false")) {
      findings.invalid(annotationField(key), text, "must be \"true\" or \"false\"");
    } else if (text.equals("true") && !job.indexed()) {
      findings.invalid(
          annotationField(key), text, "should not be enabled for a Job that is not Indexed");
    } else if (text.equals("true") && !job.completions().equals(job.parallelism())) {
      findings.invalid(
          annotationField(key),
          text,
          "should not be enabled when completions and parallelism differ; make them the same");
    }
  }

  /** The violations of an update. */
  List<Violation> ofChange(String namespace, JobTraits before, JobTraits after) {
    Findings findings = new Findings();
    queueChange(findings, namespace, before, after);
    if (!after.suspended() && !before.prebuiltWorkload().equals(after.prebuiltWorkload())) {
      findings.forbidden(annotationField(JobTraits.PREBUILT), immutable(after));
    }
    if (!(before.suspended() && after.suspended())
        && !before.label(JobTraits.MAXIMUM_TIME).equals(after.label(JobTraits.MAXIMUM_TIME))) {
      findings.forbidden(
          labelField(JobTraits.MAXIMUM_TIME), "field is immutable while the Job isn't suspended");
    }
    priorityChange(findings, before, after);
    if (!after.resumable()
        && before.label(Keys.MANAGED).filter("true"::equals).isPresent()
        && after.label(Keys.MANAGED).filter("true"::equals).isEmpty()) {
      findings.forbidden(
          labelField(Keys.MANAGED),
          "has to stay true: by it the core finds the pods that it manages");
    }
    if (!after.resumable()) {
      groupChange(findings, before, after);
    }
    if (!before.suspended()
        && after.annotation(JobTraits.MIN_PARALLELISM).isPresent()
        && !before.parallelism().equals(after.parallelism())) {
      findings.forbidden(
          "spec.parallelism",
          "cannot change when partial admission is enabled and the Job is not suspended");
    }
    if (!after.suspended()
        && !before
            .annotation(JobTraits.COMPLETIONS_EQUAL_PARALLELISM)
            .equals(after.annotation(JobTraits.COMPLETIONS_EQUAL_PARALLELISM))) {
      findings.forbidden(
          annotationField(JobTraits.COMPLETIONS_EQUAL_PARALLELISM),
          "field is immutable while the Job isn't suspended");
    }
    if (gates.enabled(FeatureGate.ADMISSION_GATED_BY)) {
      AdmissionGateRules.checkChange(findings, before.annotations(), after.annotations());
    }
    if (!before
        .annotation(JobTraits.MIN_PARALLELISM)
        .equals(after.annotation(JobTraits.MIN_PARALLELISM))) {
      findings.add(partialAdmission(after));
    }
    return findings.all();
  }

  /** A pod that left its group or role would have its place, and its quota, taken by another. */
  private static void groupChange(Findings findings, JobTraits before, JobTraits after) {
    if (!before.label(Keys.POD_GROUP).equals(after.label(Keys.POD_GROUP))) {
      findings.forbidden(labelField(Keys.POD_GROUP), immutable(after));
    }
    if (before.label(Keys.POD_GROUP).isEmpty()) {
      return;
    }
    if (!before.suspended() && !before.label(Keys.POD_SET).equals(after.label(Keys.POD_SET))) {
      findings.forbidden(labelField(Keys.POD_SET), immutable(after));
    }
    if (before.annotation(Keys.RETRIABLE).filter("false"::equals).isPresent()
        && !before.annotation(Keys.RETRIABLE).equals(after.annotation(Keys.RETRIABLE))) {
      findings.forbidden(annotationField(Keys.RETRIABLE), "has to stay \"false\"");
    }
  }

  private void queueChange(Findings findings, String namespace, JobTraits before, JobTraits after) {
    if (before.queue().equals(after.queue())) {
      return;
    }
    if (!after.suspended()) {
      findings.forbidden(labelField(JobTraits.QUEUE_NAME), immutable(after));
    } else if (after.queue().isEmpty()
        && defaultingContext.hasLocalQueue(namespace, DEFAULT_QUEUE)
        && defaultingContext.managesNamespace(namespace)) {
      findings.forbidden(
          labelField(JobTraits.QUEUE_NAME),
          "can't be removed since the namespace has a LocalQueue \""
              + DEFAULT_QUEUE
              + "\"; name another queue");
    }
  }

  private static String immutable(JobTraits job) {
    return "field is immutable; "
        + (job.resumable() ? "suspend the Job to change it" : "create the pod anew with another");
  }

  private static void priorityChange(Findings findings, JobTraits before, JobTraits after) {
    Optional<String> from = before.label(JobTraits.PRIORITY_CLASS);
    Optional<String> to = after.label(JobTraits.PRIORITY_CLASS);
    String field = labelField(JobTraits.PRIORITY_CLASS);
    if (from.isPresent() && to.isEmpty()) {
      findings.forbidden(field, "can't be removed; name another WorkloadPriorityClass");
    } else if (from.isEmpty() && to.isPresent() && !after.suspended()) {
      findings.forbidden(field, "can't be added while the Job isn't suspended");
    }
  }

  private static String labelField(String key) {
    return "metadata.labels[" + key + "]";
  }

  private static String annotationField(String key) {
    return "metadata.annotations[" + key + "]";
  }
}
