// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The situations that need the proxy: what takes place while a request is under way. */
final class ProxyScenarios {
  private static final List<Rule> RULES =
      List.of(Rule.LATE_WRITE, Rule.OTHER_RESERVATION, Rule.CONCURRENT_WRITES, Rule.RECOVERS);

  private final Fixture fixture;
  private final Findings findings;
  private final CheckDriver checkDriver;
  private final ControllerProxy between;
  private final Consumer<String> progress;
  private final Set<String> contested = new HashSet<>();

  ProxyScenarios(
      Fixture fixture,
      Findings findings,
      CheckDriver checkDriver,
      ControllerProxy between,
      Consumer<String> progress) {
    this.fixture = fixture;
    this.findings = findings;
    this.checkDriver = checkDriver;
    this.between = between;
    this.progress = progress;
  }

  static void skip(Findings findings) {
    for (Rule rule : RULES) {
      findings.skip(rule, "needs the proxy between the controller and the server");
    }
  }

  /** Returns the names of the Workloads on which it was provoked to undo what others write. */
  Set<String> bringAbout() {
    late();
    otherReservation();
    concurrent();
    recovers();
    return Set.copyOf(contested);
  }

  /** A write that is under way, and a Workload that it is about. */
  private record UnderWay(PlayedWorkload workload, HeldWrite write, String since) {}

  private Optional<UnderWay> underWay(String name, Rule rule) {
    PlayedWorkload workload = checkDriver.unasked(name);
    String path = CheckDriver.statusPath(workload);
    HeldWrite held = between.hold(each -> each.endsWith(path));
    workload.reserve(fixture.check(), fixture.otherCheck());
    if (held.awaitArrival(checkDriver.patience())) {
      return Optional.of(new UnderWay(workload, held, Fixture.version(workload.tree())));
    }
    held.letGo();
    findings.skip(
        rule,
        "no write of the controller came through the proxy; is it connected through it, and does"
            + " it write workloads/status?");
    return Optional.empty();
  }

  private void late() {
    progress.accept("the quota is released while the answer is under way");
    underWay("late", Rule.LATE_WRITE)
        .ifPresent(
            found -> {
              found.workload().evict("Preempted").release();
              boolean written = isWritten(found);
              Optional<ObservedWrite> write = firstSince(found);
              if (written && write.isPresent()) {
                String state = write.get().state(fixture.check());
                if (state.equals("Retry") || state.equals("Rejected")) {
                  findings.skip(
                      Rule.LATE_WRITE, "it said " + state + ", which may come late; see Ready");
                } else {
                  findings.fail(Rule.LATE_WRITE, write.get().describe(fixture.check()));
                }
              }
              findings.pass(Rule.LATE_WRITE, "the answer was not written");
            });
  }

  private void otherReservation() {
    progress.accept("another reservation is made while the answer is under way");
    underWay("overtaken", Rule.OTHER_RESERVATION)
        .ifPresent(
            found -> {
              found
                  .workload()
                  .evict("Preempted")
                  .release()
                  .requeueAtOnce()
                  .reserve(fixture.check(), fixture.otherCheck());
              String since = Fixture.version(found.workload().tree());
              boolean written = isWritten(found);
              Optional<ObservedWrite> write =
                  firstSince(new UnderWay(found.workload(), found.write(), since));
              findings.judge(
                  Rule.OTHER_RESERVATION,
                  written ? write.map(each -> each.describe(fixture.check())).orElse("") : "",
                  "the answer about the former reservation was not written");
            });
  }

  private void concurrent() {
    progress.accept("another check answers while the answer is under way");
    underWay("contested", Rule.CONCURRENT_WRITES)
        .ifPresent(
            found -> {
              PlayedWorkload workload = found.workload();
              contested.add(workload.key().name());
              workload.say(fixture.otherCheck(), CheckState.PENDING, "said meanwhile");
              String said = Fixture.version(workload.tree());
              isWritten(found);
              boolean answered = checkDriver.isAnswered(workload);
              // Each write is looked at: one that undoes may itself be undone by the next.
              Optional<String> undone =
                  fixture.writes(workload, said).stream()
                      .filter(
                          write -> !write.message(fixture.otherCheck()).equals("said meanwhile"))
                      .findFirst()
                      .map(
                          write ->
                              "what was said is undone: " + write.describe(fixture.otherCheck()));
              findings.judge(
                  Rule.CONCURRENT_WRITES,
                  undone.orElse(
                      answered ? "" : "after a conflict " + workload + " was never answered"),
                  "both words stand");
            });
  }

  /** Lets it go on; whether the server took it. */
  private boolean isWritten(UnderWay found) {
    return found.write().letPass(checkDriver.patience()).stream().anyMatch(status -> status < 300);
  }

  private Optional<ObservedWrite> firstSince(UnderWay found) {
    return fixture.writes(found.workload(), found.since()).stream().findFirst();
  }

  private void recovers() {
    progress.accept("the server is out of reach for a while");
    between.cut();
    PlayedWorkload missed = checkDriver.reserved("missed");
    between.restore();
    findings.judge(
        Rule.RECOVERS,
        checkDriver.isAnswered(missed) ? "" : "no word about " + missed + ", reserved meanwhile",
        "answered what was reserved meanwhile");
  }
}
