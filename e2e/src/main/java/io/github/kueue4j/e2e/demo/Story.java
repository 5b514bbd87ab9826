// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The scenes of the demo: for each of some Jobs the steps that its Workload goes through, in their
 * order. A step is seen when a version of the Workload shows it. Thread-safe.
 */
final class Story {

  /**
   * One step.
   *
   * @param job namespace and name
   * @param sentence what happens
   * @param shown whether this version of the Job's Workload shows it
   */
  record Step(String job, String sentence, Predicate<Workload> shown) {}

  private final List<Step> steps;

  // Both guarded by this object's monitor.
  private final List<Step> missing;
  private final List<String> news = new ArrayList<>();

  private Story(Stream<List<Step>> jobs) {
    this.steps = jobs.flatMap(List::stream).toList();
    this.missing = new ArrayList<>(steps);
  }

  /**
   * The examples' story.
   *
   * @param monday when a new day and a new week begin
   */
  static Story ofTheExamples(Instant monday) {
    return new Story(
        Stream.of(
            job(
                "team-a/sort-3",
                step("waits: two other Jobs have the quota", Story::waitsForQuota),
                step("starts with the quota that they gave back", Story::isAdmitted)),
            job(
                "team-b/nightly-report",
                step(
                    "waits until midnight: the daily budget is used up", retry("budget", "budget")),
                step("starts with the new day's budget", workload -> isAdmitted(workload, monday))),
            job(
                "team-c/train",
                step("waits: a service without a queue has the GPUs", retry("gpu", "available")),
                step("starts on GPUs that are free again", Story::isAdmitted)),
            job(
                "team-d/render",
                step("waits: no node could be provisioned", retry("provisioning", "")),
                step("starts on a node that was provisioned for it", Story::isAdmitted)),
            job(
                "team-e/forecast",
                step(
                    "waits until Monday: Prometheus says that the weekly budget is used",
                    retry("weekly-budget", "Weekly budget exhausted")),
                step(
                    "starts with the new week's budget", workload -> isAdmitted(workload, monday))),
            job(
                "team-f/render",
                step(
                    "waits: two GPUs are free, but on two nodes",
                    retry("gpu-nodes", "free, but on two nodes")),
                step("starts on one node with two free GPUs", Story::isAdmitted)),
            job(
                "team-g/solve",
                step(
                    "waits: over HTTP the licence server says that there is no licence",
                    retry("licences", "All 10 licences are in use.")),
                step("starts: the licence server says that one is free", Story::isAdmitted)),
            job(
                "team-h/tune",
                step("a RayJob: starts with its head and its workers at once", Story::isAdmitted)),
            job(
                "team-h/sweep",
                step(
                    "a group of pods: waits, since the RayJob has the quota", Story::waitsForQuota),
                step("starts with all its pods at once", Story::isAdmitted))));
  }

  private static List<Step> job(String name, Step... told) {
    return Stream.of(told).map(step -> new Step(name, step.sentence(), step.shown())).toList();
  }

  private static Step step(String sentence, Predicate<Workload> shown) {
    return new Step("", sentence, shown);
  }

  private static boolean waitsForQuota(Workload workload) {
    WorkloadLine line = WorkloadLine.of(workload);
    return line.phase() == Phase.QUEUED && line.message().contains("insufficient");
  }

  private static Predicate<Workload> retry(String check, String words) {
    return workload ->
        workload
            .status()
            .admissionCheck(check)
            .filter(entry -> entry.is(CheckState.RETRY))
            .map(AdmissionCheckState::message)
            .filter(message -> message.contains(words))
            .isPresent();
  }

  private static boolean isAdmitted(Workload workload) {
    return isAdmitted(workload, Instant.MIN);
  }

  private static boolean isAdmitted(Workload workload, Instant notBefore) {
    return workload
        .conditions()
        .trueSince(WorkloadConditions.ADMITTED)
        .filter(since -> !since.isBefore(notBefore))
        .isPresent();
  }

  /** Takes in one version of a Workload; versions of one Workload come in their order. */
  synchronized void saw(Workload workload) {
    String job = WorkloadLine.of(workload).name();
    missing.stream()
        .filter(step -> step.job().equals(job))
        .findFirst()
        .filter(step -> step.shown().test(workload))
        .ifPresent(
            step -> {
              missing.remove(step);
              news.add(
                  "step "
                      + (steps.size() - missing.size())
                      + " of "
                      + steps.size()
                      + ": "
                      + job
                      + ' '
                      + step.sentence());
            });
  }

  /** The steps that were seen since the last call, as sentences. */
  synchronized List<String> news() {
    List<String> told = List.copyOf(news);
    news.clear();
    return told;
  }

  int length() {
    return steps.size();
  }

  /** The steps that were not seen. */
  synchronized List<Step> missing() {
    return List.copyOf(missing);
  }
}
