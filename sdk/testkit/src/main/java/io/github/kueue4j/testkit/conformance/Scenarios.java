// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Brings the situations about, one after another, and says what came out. Where a controller must
 * keep still, a Workload that it must answer comes next: once that is answered, what came before it
 * has been seen too, and then it has a while to stay quiet.
 */
final class Scenarios {
  private static final String UNANSWERED = "the controller did not answer a plain reservation";
  private static final int POKES = 3;

  private final Fixture fixture;
  private final Findings findings;
  private final CheckDriver checkDriver;
  private final Optional<ControllerProxy> proxy;
  private final Optional<Conformance.Restart> restart;
  private final Optional<Runnable> revocation;
  private final Consumer<String> progress;

  /** Workloads on which the controller is provoked to undo what others write. */
  private final Set<String> contested = new HashSet<>();

  Scenarios(
      Fixture fixture,
      Findings findings,
      CheckDriver checkDriver,
      Optional<ControllerProxy> proxy,
      Optional<Conformance.Restart> restart,
      Optional<Runnable> revocation,
      Consumer<String> progress) {
    this.fixture = fixture;
    this.findings = findings;
    this.checkDriver = checkDriver;
    this.proxy = proxy;
    this.restart = restart;
    this.revocation = revocation;
    this.progress = progress;
  }

  void bringAbout() {
    active();
    PlayedWorkload bystander = aloneOnTheCluster();
    Optional<PlayedWorkload> first = keepsStill(bystander);
    if (first.isPresent()) {
      needless(first.get());
      nextRound(first.get());
      if (proxy.isPresent()) {
        contested.addAll(
            new ProxyScenarios(fixture, findings, checkDriver, proxy.get(), progress).bringAbout());
      } else {
        ProxyScenarios.skip(findings);
      }
      restarted();
      revocation.ifPresent(this::revoked);
    } else {
      for (Rule rule : Rule.values()) {
        findings.skip(rule, UNANSWERED);
      }
    }
    List<ObservedWrite> all = new ArrayList<>();
    fixture.workloads().stream()
        .filter(key -> !contested.contains(key.name()))
        .map(key -> fixture.script().existing(key.name()))
        .forEach(workload -> all.addAll(fixture.writes(workload, "")));
    new WriteJudge(fixture.check(), findings).judge(all);
    foreignCheck();
  }

  private void active() {
    progress.accept("waiting for the controller to find its AdmissionCheck " + fixture.check());
    Optional<JsonNode> active = checkDriver.waitFor(() -> fixture.active(fixture.check()));
    if (active.isEmpty()) {
      findings.fail(
          Rule.ACTIVE,
          "no condition Active on AdmissionCheck %s within %s s; does the controller run, and under this name?"
              .formatted(fixture.check(), checkDriver.patience().toSeconds()));
      return;
    }
    String text = active.get().toString();
    if (Trees.text(active.get(), "status").equals("False")) {
      throw new ConformanceException(
          "the controller says that it can't work, so it can't be judged: "
              + text
              + "; name what it needs with parameters");
    }
    boolean reason = !Trees.text(active.get(), "reason").isBlank();
    findings.judge(Rule.ACTIVE, reason ? "" : "no reason: " + text, text);
  }

  /**
   * A Workload that asks only the other check: no controller may write it, nor may another core.
   */
  private PlayedWorkload aloneOnTheCluster() {
    progress.accept("looking whether another core runs here");
    PlayedWorkload bystander = fixture.workload("bystander").reserve(fixture.otherCheck());
    checkDriver.settle();
    for (ObservedWrite write : fixture.writes(bystander, "")) {
      for (String field : List.of("conditions", "admission")) {
        if (write.changesStatus(field)) {
          throw new ConformanceException(
              "another core plays Kueue's part on this cluster (status."
                  + field
                  + " of a Workload was changed, which is the core's business): stop the core while"
                  + " the kit runs, or use a cluster without one (the command's --embedded)");
        }
      }
    }
    return bystander;
  }

  private record Still(Rule rule, PlayedWorkload workload) {}

  /** Returns the first Workload that was answered. */
  private Optional<PlayedWorkload> keepsStill(PlayedWorkload bystander) {
    progress.accept("Workloads that must be left alone");
    String[] both = {fixture.check(), fixture.otherCheck()};
    PlayedWorkload deleting = fixture.lastingWorkload("deleting");
    deleting.delete();
    PlayedWorkload inactive = fixture.workload("inactive");
    inactive.deactivate();
    List<Still> stills =
        Stream.of(
                new Still(Rule.NOT_LISTED, bystander),
                new Still(Rule.NOT_RESERVED, fixture.workload("not-reserved").list(both)),
                new Still(
                    Rule.EVICTING,
                    fixture.workload("evicting").reserveWith("Evicted", "Preempted", both)),
                new Still(
                    Rule.FINISHED,
                    fixture.workload("finished").reserveWith("Finished", "Succeeded", both)),
                new Still(Rule.INACTIVE, inactive.reserve(both)),
                new Still(Rule.DELETING, deleting.reserve(both)))
            .toList();
    Optional<PlayedWorkload> answered = checkDriver.answered();
    checkDriver.settle();
    for (Still still : stills) {
      List<ObservedWrite> writes =
          fixture.writes(still.workload(), "").stream()
              .filter(write -> write.changes(fixture.check()))
              .toList();
      findings.judge(
          still.rule(),
          writes.isEmpty() ? "" : writes.getFirst().describe(fixture.check()),
          "nothing was written");
    }
    findings.judge(
        Rule.ANSWERS,
        answered.isPresent()
            ? ""
            : "no word within "
                + checkDriver.patience().toSeconds()
                + " s about a Workload that holds quota",
        "answered");
    return answered;
  }

  private void needless(PlayedWorkload workload) {
    progress.accept("nothing changes");
    ObjectNode begin = workload.tree();
    String since = Fixture.version(begin);
    String path = CheckDriver.statusPath(workload);
    for (int i = 0; i < POKES; i++) {
      workload.poke();
    }
    checkDriver.answered();
    checkDriver.settle();
    int same = 0;
    String evidence = "";
    for (ObservedWrite write : fixture.writes(workload, since)) {
      boolean stateStays =
          Trees.text(ObservedWrite.entry(write.before(), fixture.check()), "state")
              .equals(write.state(fixture.check()));
      // A check that waits may report progress.
      if (stateStays && write.changes(fixture.check())) {
        same++;
        evidence = write.describe(fixture.check());
      }
    }
    // Also a write of a controller that was waiting when this began, and has decided since.
    boolean waited =
        Trees.text(ObservedWrite.entry(begin, fixture.check()), "state")
            .equals(CheckState.PENDING.value());
    int allowed = waited ? 1 : 0;
    long sent = taken(path);
    if (same > allowed) {
      findings.fail(Rule.NO_NEEDLESS_WRITES, same + " writes, the last one: " + evidence);
    } else if (sent > allowed + fixture.writes(workload, "").size()) {
      findings.fail(
          Rule.NO_NEEDLESS_WRITES, sent + " writes sent that changed nothing, to " + path);
    } else {
      findings.pass(
          Rule.NO_NEEDLESS_WRITES, "the Workload changed " + POKES + " times without need");
    }
  }

  /** How many writes the server took; one that came too late and was refused changes nothing. */
  private long taken(String path) {
    return proxy
        .map(
            each ->
                each.writes().stream()
                    .filter(write -> write.path().endsWith(path) && write.status() < 300)
                    .count())
        .orElse(0L);
  }

  private void nextRound(PlayedWorkload workload) {
    AdmissionCheckState entry = decided(workload);
    if (entry.is(CheckState.READY)) {
      admitted(workload);
      workload.evict("Preempted").release().requeueAtOnce();
    } else {
      findings.skip(
          Rule.ADMITTED_LEFT_ALONE,
          takenBack(workload)
              .orElseGet(
                  () ->
                      "the controller said "
                          + entry.state().value()
                          + "; give it a Workload that it accepts"));
      if (entry.is(CheckState.RETRY)) {
        workload.backOff().requeueAtOnce();
      } else if (entry.is(CheckState.REJECTED)) {
        workload.reject().reactivate();
      } else {
        workload.evict("Preempted").release().requeueAtOnce();
      }
    }
    progress.accept("the next reservation");
    workload.reserve(fixture.check(), fixture.otherCheck());
    findings.judge(
        Rule.ANSWERS_AGAIN,
        checkDriver.isAnswered(workload)
            ? ""
            : "no word about the second reservation of " + workload,
        "answered a second time after " + entry.state().value());
  }

  /**
   * A warning about a Ready that was taken back before the admission. No broken rule: a check may
   * do that when something has changed that it looks at, which the kit can't know.
   */
  private Optional<String> takenBack(PlayedWorkload workload) {
    return fixture.writes(workload, "").stream()
        .filter(write -> write.changes(fixture.check()))
        .filter(
            write ->
                Trees.text(ObservedWrite.entry(write.before(), fixture.check()), "state")
                    .equals(CheckState.READY.value()))
        .filter(write -> !write.state(fixture.check()).equals(CheckState.READY.value()))
        .findFirst()
        .map(
            write ->
                "WARNING: it said Ready, then "
                    + write.state(fixture.check())
                    + " before the admission; a check may do so only when something has changed"
                    + " that it looks at; "
                    + write.describe(fixture.check()));
  }

  /** The controller's answer; a controller that delays its decision gets the time for it. */
  private AdmissionCheckState decided(PlayedWorkload workload) {
    checkDriver.waitFor(
        () -> Optional.of(workload.entry(fixture.check())).filter(e -> !e.is(CheckState.PENDING)));
    return workload.entry(fixture.check());
  }

  private void admitted(PlayedWorkload workload) {
    progress.accept("a Workload that is admitted");
    String since = Fixture.version(workload.tree());
    workload.say(fixture.otherCheck(), CheckState.READY, "fine").admit();
    workload.poke();
    checkDriver.answered();
    checkDriver.settle();
    // Some controllers withdraw it as soon as they see the admission, before anything else is
    // asked.
    findings.judge(
        Rule.ADMITTED_LEFT_ALONE,
        fixture.writes(workload, since).stream()
            .filter(write -> write.isTrueBefore("Admitted"))
            .filter(write -> write.changes(fixture.check()))
            .filter(write -> !write.state(fixture.check()).equals("Ready"))
            .findFirst()
            .map(write -> write.describe(fixture.check()))
            .orElse(""),
        "stayed Ready");
  }

  private void restarted() {
    if (restart.isEmpty()) {
      findings.skip(Rule.RESTART, "the kit doesn't know how to restart the controller");
      return;
    }
    progress.accept("the controller is restarted");
    restart.get().stop();
    PlayedWorkload meanwhile = checkDriver.reserved("meanwhile");
    restart.get().start();
    findings.judge(
        Rule.RESTART,
        checkDriver.isAnswered(meanwhile)
            ? ""
            : "no word about " + meanwhile + ", reserved meanwhile",
        "answered what was reserved meanwhile");
  }

  /** Changes the inputs of the controller while a Workload runs: it may take its Ready back. */
  private void revoked(Runnable withdrawal) {
    PlayedWorkload workload = checkDriver.reserved("revoked");
    if (!decided(workload).is(CheckState.READY)) {
      return; // The rule was skipped for the first Workload, for the same reason.
    }
    workload.say(fixture.otherCheck(), CheckState.READY, "fine").admit();
    String since = Fixture.version(workload.tree());
    progress.accept("what made the controller say Ready is withdrawn");
    withdrawal.run();
    Optional<ObservedWrite> word =
        checkDriver.waitFor(
            () ->
                fixture.writes(workload, since).stream()
                    .filter(write -> write.changes(fixture.check()))
                    .filter(write -> !write.state(fixture.check()).equals("Ready"))
                    .findFirst());
    if (word.isEmpty()) {
      findings.passToo(Rule.ADMITTED_LEFT_ALONE, "and stayed Ready after the withdrawal");
    } else if (word.get().state(fixture.check()).equals("Pending")) {
      findings.fail(
          Rule.ADMITTED_LEFT_ALONE,
          "Pending does not stop an admitted Workload; " + word.get().describe(fixture.check()));
    } else {
      findings.passToo(
          Rule.ADMITTED_LEFT_ALONE,
          "and took it back after the withdrawal: " + word.get().describe(fixture.check()));
    }
  }

  private void foreignCheck() {
    Optional<JsonNode> active = fixture.active(fixture.otherCheck());
    findings.judge(
        Rule.FOREIGN_CHECK,
        active
            .map(condition -> "it set Active on " + fixture.otherCheck() + ": " + condition)
            .orElse(""),
        "its AdmissionCheck and entries stayed untouched");
  }
}
