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
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
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
final class Situations {
  private static final String UNANSWERED = "the controller did not answer a plain reservation";
  private static final int POKES = 3;

  private final Ground ground;
  private final Findings findings;
  private final Duration patience;
  private final Asking asking;
  private final Optional<ControllerProxy> proxy;
  private final Optional<Conformance.Restart> restart;
  private final Consumer<String> progress;

  /** Workloads on which the controller is provoked to undo what others write. */
  private final Set<String> contested = new HashSet<>();

  Situations(
      Ground ground,
      Findings findings,
      Duration quiet,
      Duration patience,
      Optional<ControllerProxy> proxy,
      Optional<Conformance.Restart> restart,
      Consumer<String> progress) {
    this.ground = ground;
    this.findings = findings;
    this.patience = patience;
    this.asking = new Asking(ground, quiet, patience);
    this.proxy = proxy;
    this.restart = restart;
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
            new WireSituations(ground, findings, asking, proxy.get(), patience, progress)
                .bringAbout());
      } else {
        WireSituations.skip(findings);
      }
      restarted();
    } else {
      for (Rule rule : Rule.values()) {
        findings.skip(rule, UNANSWERED);
      }
    }
    List<ObservedWrite> all = new ArrayList<>();
    ground.workloads().stream()
        .filter(key -> !contested.contains(key.name()))
        .map(key -> ground.script().existing(key.name()))
        .forEach(workload -> all.addAll(ground.writes(workload, "")));
    new WriteJudge(ground.check(), findings).judge(all);
    foreignCheck();
  }

  private void active() {
    progress.accept("waiting for the controller to find its AdmissionCheck " + ground.check());
    Optional<JsonNode> active = asking.waitFor(() -> ground.active(ground.check()));
    if (active.isEmpty()) {
      findings.fail(
          Rule.ACTIVE,
          "no condition Active on AdmissionCheck "
              + ground.check()
              + " within "
              + patience.toSeconds()
              + " s; does the controller run, and under this name?");
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

  /** A Workload that asks only the other check: nobody must touch it, least of all another core. */
  private PlayedWorkload aloneOnTheCluster() {
    progress.accept("looking whether another core runs here");
    PlayedWorkload bystander = ground.workload("bystander").reserve(ground.otherCheck());
    asking.settle();
    for (ObservedWrite write : ground.writes(bystander, "")) {
      for (String field : List.of("conditions", "admission")) {
        if (write.changesStatus(field)) {
          throw new ConformanceException(
              "somebody else plays Kueue's part on this cluster (status."
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
    String[] both = {ground.check(), ground.otherCheck()};
    PlayedWorkload deleting = ground.lastingWorkload("deleting");
    deleting.delete();
    PlayedWorkload inactive = ground.workload("inactive");
    inactive.deactivate();
    List<Still> stills =
        Stream.of(
                new Still(Rule.NOT_LISTED, bystander),
                new Still(Rule.NOT_RESERVED, ground.workload("not-reserved").list(both)),
                new Still(
                    Rule.EVICTING,
                    ground.workload("evicting").reserveWith("Evicted", "Preempted", both)),
                new Still(
                    Rule.FINISHED,
                    ground.workload("finished").reserveWith("Finished", "Succeeded", both)),
                new Still(Rule.INACTIVE, inactive.reserve(both)),
                new Still(Rule.DELETING, deleting.reserve(both)))
            .toList();
    Optional<PlayedWorkload> answered = asking.answered();
    asking.settle();
    for (Still still : stills) {
      List<ObservedWrite> writes =
          ground.writes(still.workload(), "").stream()
              .filter(write -> write.changes(ground.check()))
              .toList();
      findings.judge(
          still.rule(),
          writes.isEmpty() ? "" : writes.getFirst().describe(ground.check()),
          "nothing was written");
    }
    findings.judge(
        Rule.ANSWERS,
        answered.isPresent()
            ? ""
            : "no word within " + patience.toSeconds() + " s about a Workload that holds quota",
        "answered");
    return answered;
  }

  private void needless(PlayedWorkload workload) {
    progress.accept("nothing changes");
    ObjectNode begin = workload.tree();
    String since = Ground.version(begin);
    String path = Asking.statusPath(workload);
    for (int i = 0; i < POKES; i++) {
      workload.poke();
    }
    asking.answered();
    asking.settle();
    int same = 0;
    String evidence = "";
    for (ObservedWrite write : ground.writes(workload, since)) {
      boolean stateStays =
          Trees.text(ObservedWrite.entry(write.before(), ground.check()), "state")
              .equals(write.state(ground.check()));
      // What moves its time without need has a rule of its own; who waits may report progress.
      if (stateStays && sameTime(write) && write.changes(ground.check())) {
        same++;
        evidence = write.describe(ground.check());
      }
    }
    // Also of one that waited when this began, and has decided since.
    boolean waited =
        Trees.text(ObservedWrite.entry(begin, ground.check()), "state")
            .equals(CheckState.PENDING.value());
    int allowed = waited ? 1 : 0;
    long sent = taken(path);
    if (same > allowed) {
      findings.fail(Rule.NO_NEEDLESS_WRITES, same + " writes, the last one: " + evidence);
    } else if (sent > allowed + ground.writes(workload, "").size()) {
      findings.fail(
          Rule.NO_NEEDLESS_WRITES, sent + " writes sent that changed nothing, to " + path);
    } else {
      findings.pass(
          Rule.NO_NEEDLESS_WRITES, "the Workload changed " + POKES + " times without need");
    }
  }

  private boolean sameTime(ObservedWrite write) {
    return Trees.text(ObservedWrite.entry(write.before(), ground.check()), "lastTransitionTime")
        .equals(
            Trees.text(ObservedWrite.entry(write.after(), ground.check()), "lastTransitionTime"));
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
          "the controller said " + entry.state().value() + "; give it a Workload that it accepts");
      if (entry.is(CheckState.RETRY)) {
        workload.backOff().requeueAtOnce();
      } else if (entry.is(CheckState.REJECTED)) {
        workload.reject().reactivate();
      } else {
        workload.evict("Preempted").release().requeueAtOnce();
      }
    }
    progress.accept("the next reservation");
    workload.reserve(ground.check(), ground.otherCheck());
    findings.judge(
        Rule.ANSWERS_AGAIN,
        asking.isAnswered(workload) ? "" : "no word about the second reservation of " + workload,
        "answered a second time after " + entry.state().value());
  }

  /** Whoever waits for something gets the time to come to a decision. */
  private AdmissionCheckState decided(PlayedWorkload workload) {
    asking.waitFor(
        () -> Optional.of(workload.entry(ground.check())).filter(e -> !e.is(CheckState.PENDING)));
    return workload.entry(ground.check());
  }

  private void admitted(PlayedWorkload workload) {
    progress.accept("a Workload that is admitted");
    String since = Ground.version(workload.tree());
    workload.say(ground.otherCheck(), CheckState.READY, "fine").admit();
    workload.poke();
    asking.answered();
    asking.settle();
    // Some take it back as soon as they hear of the admission, before anything else is asked.
    findings.judge(
        Rule.ADMITTED_LEFT_ALONE,
        ground.writes(workload, since).stream()
            .filter(write -> write.isTrueBefore("Admitted"))
            .filter(write -> write.changes(ground.check()))
            .filter(write -> !write.state(ground.check()).equals("Ready"))
            .findFirst()
            .map(write -> write.describe(ground.check()))
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
    PlayedWorkload meanwhile = asking.reserved("meanwhile");
    restart.get().start();
    findings.judge(
        Rule.RESTART,
        asking.isAnswered(meanwhile) ? "" : "no word about " + meanwhile + ", reserved meanwhile",
        "answered what was reserved meanwhile");
  }

  private void foreignCheck() {
    Optional<JsonNode> active = ground.active(ground.otherCheck());
    findings.judge(
        Rule.FOREIGN_CHECK,
        active
            .map(condition -> "it set Active on " + ground.otherCheck() + ": " + condition)
            .orElse(""),
        "its AdmissionCheck and entries stayed untouched");
  }
}
