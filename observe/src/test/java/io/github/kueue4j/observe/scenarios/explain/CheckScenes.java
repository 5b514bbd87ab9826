// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.util.List;

/** Workloads that wait for admission checks. */
final class CheckScenes {
  private CheckScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a check without a message",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.advance(Duration.ofMinutes(5));
                })
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "for 5m, and the controller example.com/test has not said why",
                "Check that the controller"),
        Scene.of(
                "a check that is being evaluated",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.advance(Duration.ofSeconds(16));
                })
            .shows(
                Reason.CHECK_UNANSWERED,
                Actor.CHECK_OPERATOR,
                "for 16s: the controller example.com/test may be evaluating it",
                "Ask again in a minute"),
        Scene.of(
                "a check that is asked before quota",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}");
                  World.queue(cluster, World.ONE_CHECK, "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", CheckStage::asks);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "No quota is reserved for it before checks say Ready",
                "Waits for AdmissionCheck budget before quota"),
        Scene.of(
                "a check that is asked after another before quota, and one that is asked with it",
                "job/job",
                cluster -> {
                  for (String check : List.of("budget", "gpu", "cpu")) {
                    cluster.check(check);
                    World.patch(
                        cluster,
                        KueueTypes.ADMISSION_CHECK,
                        ObjectKey.cluster(check),
                        switch (check) {
                          case "budget" ->
                              "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}";
                          case "gpu" ->
                              "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\", \"kueue4j.io/after\": \"budget\"}}}";
                          default ->
                              "{\"metadata\": {\"annotations\": {\"kueue4j.io/after\": \"gpu\"}}}";
                        });
                  }
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: gpu}, {name: cpu}]}",
                      "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", CheckStage::asks);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "budget before quota. The check \"gpu\" is asked once budget is Ready."),
        Scene.of(
                "a check that has refused, and an alternative to it",
                "job/job",
                cluster -> {
                  alternatives(cluster);
                  cluster.answer("job", "budget", CheckState.RETRY, 3600);
                  cluster.answer("job", "gpu", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "The admission check \"gpu\" has been pending",
                "Of budget, gpu one Ready is enough."),
        Scene.of(
                "alternatives that have refused",
                "job/job",
                cluster -> {
                  alternatives(cluster);
                  cluster.answer("job", "budget", CheckState.RETRY, 7200);
                  cluster.answer("job", "gpu", CheckState.RETRY, 3600);
                })
            .shows(
                Reason.RETRY_DELAYED,
                Actor.CHECK_CONTROLLER,
                "The admission check asks for another try later: \"gpu\" until")
            .wakesIn(Duration.ofHours(1)),
        Scene.of(
                "a check that has rejected, and an alternative to it",
                "job/job",
                cluster -> {
                  alternatives(cluster);
                  cluster.answer("job", "budget", CheckState.REJECTED, null);
                  cluster.answer("job", "gpu", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "The admission check \"gpu\" has been pending"),
        Scene.of(
                "a check that is asked after another",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  cluster.check("gpu");
                  comesAfter(cluster, "gpu", "budget");
                  World.queue(cluster, World.TWO_CHECKS, "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.answer("job", "budget", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "\"budget\" has been pending",
                "The check \"gpu\" is asked once budget is Ready."),
        Scene.of(
                "a check that only observes beside one that is asked",
                "job/job",
                cluster -> {
                  besideObserving(cluster);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.answer("job", "gpu", CheckState.RETRY, 3600);
                  cluster.answer("job", "budget", CheckState.PENDING, null);
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "\"budget\" has been pending",
                "Observe mode: would have answered Retry: Retry by the test (its check is in the"
                    + " mode Observe, and nothing waits for it)"),
        Scene.of(
                "a check that only observes what is admitted, and is silent",
                "job/job",
                cluster -> {
                  besideObserving(cluster);
                  cluster.answer("job", "budget", CheckState.READY, null);
                  cluster.awaitSuspended("job", false);
                  cluster.podsRun("job");
                })
            .shows(
                Reason.RUNNING,
                Actor.NONE,
                "Pending since",
                "(its check is in the mode Observe, and nothing waits for it)"),
        Scene.of(
                "a check that is active, and whose mode is mistyped",
                "job/job",
                cluster -> {
                  mode(cluster, "observe");
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: gpu}]}",
                      "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.CHECK_OPERATOR,
                "inactive AdmissionCheck(s): gpu (metadata.annotations['kueue4j.io/mode'] is"
                    + " 'observe', which is no mode: write Observe or Enforce"),
        Scene.of(
                "a check that is asked before quota and named for some flavors",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}");
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [default]}]}",
                      "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.QUEUE_ADMINISTRATOR,
                "can't use the admission check budget: it is asked before quota, when no flavor is"
                    + " chosen: leave onFlavors out of its rule"),
        Scene.of(
                "two active checks that come after each other",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  cluster.check("gpu");
                  comesAfter(cluster, "budget", "gpu");
                  comesAfter(cluster, "gpu", "budget");
                  World.queue(cluster, World.TWO_CHECKS, "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.QUEUE_ADMINISTRATOR,
                "can't use the admission check budget: metadata.annotations['kueue4j.io/after'] is"
                    + " 'gpu', so it comes after itself by way of gpu: leave",
                "; gpu: metadata.annotations['kueue4j.io/after'] is 'budget'",
                "or the annotation of the AdmissionCheck"),
        Scene.of(
                "a check that isn't active, and one that is asked before quota and named for some"
                    + " flavors",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"metadata\": {\"annotations\": {\"kueue4j.io/stage\": \"BeforeQuota\"}}}");
                  cluster.check("gpu");
                  World.patchStatus(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("gpu"),
                      """
                      {"status": {"conditions": [{"type": "Active", "status": "False",
                        "reason": "BadParametersRef", "message": "no such parameters",
                        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
                      """);
                  World.queue(
                      cluster,
                      "admissionChecksStrategy: {admissionChecks: [{name: budget, onFlavors: [default]},"
                          + " {name: gpu}]}",
                      "default=1");
                  cluster.job("job", 1);
                })
            .shows(
                Reason.CHECK_NOT_ACTIVE,
                Actor.CHECK_OPERATOR,
                "requires an admission check that isn't active. It also can't use the admission"
                    + " check budget: it is asked before quota",
                "no such parameters",
                "Check that the controller runs",
                "leave onFlavors out of its rule"),
        Scene.of(
                "a record of a check that is enforced now, and that no core has seen yet",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.crashCore();
                  cluster.writeEntry(
                      () -> cluster.workload("job"),
                      "budget",
                      entry ->
                          entry
                              .withState(CheckState.READY)
                              .withMessage(
                                  new ObservedAnswer(CheckState.RETRY, "Full", "none").text()));
                })
            .shows(
                Reason.CHECK_PENDING,
                Actor.CHECK_OPERATOR,
                "Observe mode: would have answered Retry (Full): none"),
        Scene.of(
                "a check with a message",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.ONE_CHECK, "budget");
                  cluster.answer("job", "budget", CheckState.PENDING, null);
                })
            .shows(Reason.CHECK_PENDING, Actor.CHECK_OPERATOR, "Pending by the test"),
        Scene.of(
                "a check with a pending timeout",
                "job/job",
                cluster -> {
                  cluster.check("budget");
                  World.patch(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("budget"),
                      "{\"spec\": {\"pendingTimeoutSeconds\": 600}}");
                  World.queue(cluster, World.ONE_CHECK, "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", TestCluster::reserved);
                  cluster.advance(Duration.ofMinutes(4));
                })
            .shows(Reason.CHECK_UNANSWERED, Actor.CHECK_OPERATOR, "for 4m")
            .wakesIn(Duration.ofMinutes(6)),
        Scene.of(
                "a check whose controller gave up after the reservation",
                "job/job",
                cluster -> {
                  World.reserved(cluster, World.TWO_CHECKS, "budget", "gpu");
                  World.patchStatus(
                      cluster,
                      KueueTypes.ADMISSION_CHECK,
                      ObjectKey.cluster("gpu"),
                      """
                      {"status": {"conditions": [{"type": "Active", "status": "False",
                        "reason": "BadParametersRef", "message": "no such parameters",
                        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
                      """);
                  cluster.settle();
                })
            .shows(
                Reason.CHECK_INACTIVE,
                Actor.CHECK_OPERATOR,
                "\"gpu\"",
                "no such parameters",
                "Also pending: budget"));
  }

  private static void comesAfter(TestCluster cluster, String check, String other) {
    World.patch(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(check),
        "{\"metadata\": {\"annotations\": {\"kueue4j.io/after\": \"%s\"}}}".formatted(other));
  }

  static void inactive(TestCluster cluster, String check) {
    World.patchStatus(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster(check),
        """
        {"status": {"conditions": [{"type": "Active", "status": "False",
          "reason": "BadParametersRef", "message": "no such parameters",
          "lastTransitionTime": "2020-01-01T00:00:00Z"}]}}
        """);
  }

  /** A Job whose queue asks budget, while gpu only observes. */
  static void besideObserving(TestCluster cluster) {
    cluster.check("budget");
    mode(cluster, "Observe");
    World.queue(cluster, World.TWO_CHECKS, "default=1");
    cluster.job("job", 1);
  }

  private static void mode(TestCluster cluster, String mode) {
    cluster.check("gpu");
    World.patch(
        cluster,
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("gpu"),
        "{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": \"" + mode + "\"}}}");
  }

  private static void alternatives(TestCluster cluster) {
    for (String check : List.of("budget", "gpu")) {
      cluster.check(check);
      World.patch(
          cluster,
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster(check),
          "{\"metadata\": {\"annotations\": {\"kueue4j.io/any-of\": \"capacity\"}}}");
    }
    World.queue(cluster, World.TWO_CHECKS, "default=1");
    cluster.job("job", 1);
    cluster.awaitWorkload("job", TestCluster::reserved);
  }
}
