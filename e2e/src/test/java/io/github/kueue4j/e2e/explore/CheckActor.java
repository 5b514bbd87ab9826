// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static io.github.kueue4j.e2e.explore.Invariant.require;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.internal.fence.Decision;
import io.github.kueue4j.sdk.internal.fence.Fence;
import io.github.kueue4j.sdk.internal.fence.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One check. Those on the SDK begin an evaluation with a token, and end it through the real fence
 * at any time later; the naive one writes what it likes, when it likes.
 */
final class CheckActor {
  private static final Reason REASON = Reason.of("Busy");

  private final Space space;
  private final Rules rules;
  private final CoreActor core;
  private final int check;
  private final String name;
  private final CheckKind kind;
  private final Trouble trouble;
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<String> verdictNames = new ArrayList<>();
  private final String begins;
  private final String drops;
  private final Map<Long, Decision> decided = new HashMap<>();
  private final Map<Say, String> sayings = new HashMap<>();

  /** What is stored when a verdict is written; by the key of {@link #decided}. */
  private final Map<Long, Stored> written = new HashMap<>();

  /** What is stored when the naive check writes. */
  private final Map<Said, Stored> said = new HashMap<>();

  /** What a naive check writes. */
  private record Say(CheckState state, int dated, int delay) {}

  /** What a naive check writes, and of which object. */
  private record Said(int object, Say say) {}

  /**
   * What becomes of an object when an entry is written. The same object and the same entry come by
   * in many worlds, and objects are expensive to compare.
   *
   * @param object its number afterwards
   * @param promised the delay that an observer takes from it
   * @param ready whether the check now says Ready
   * @param same whether nothing has changed
   */
  private record Stored(int object, int promised, boolean ready, boolean same) {
    Stored promisingNothing() {
      return new Stored(object, 0, ready, same);
    }
  }

  CheckActor(Space space, CoreActor core, int check) {
    this.space = space;
    this.rules = space.rules();
    this.core = core;
    this.check = check;
    this.name = rules.checks().get(check).name();
    this.kind = rules.kind(check);
    this.trouble = Trouble.ofCheck(check);
    this.begins = name + " begins to evaluate";
    this.drops = name + "'s verdict is not written: ";
    verdict("Ready", Verdict.ready(""));
    verdict("Pending", Verdict.pending(""));
    for (int delay : rules.delays()) {
      verdict(
          delay < 0 ? "Retry" : "Retry after " + delay,
          Verdict.retry(
              REASON, "", delay < 0 ? Delay.none() : Delay.exactly(Duration.ofSeconds(delay))));
    }
    verdict("Rejected", Verdict.rejected(REASON, ""));
    if (rules.isLast(check)) {
      verdict("what it would have said", Verdict.ready(Essence.RECORD));
    }
  }

  private boolean observes(World world) {
    return rules.isLast(check) && space.around(world).observing();
  }

  private void verdict(String said, Verdict verdict) {
    verdictNames.add(name + " says " + said);
    verdicts.add(verdict);
  }

  void steps(World world, boolean everything, Steps steps) {
    Workload object = space.object(world);
    AdmissionCheckState entry = Space.entry(object, name);
    if (!kind.fenced()) {
      if (entry != null) {
        naive(world, object, entry, everything, steps);
      }
      return;
    }
    Evaluation evaluation = space.evaluation(world, check);
    if (evaluation.token() != null) {
      answers(world, evaluation, steps);
    } else if (entry != null && isDue(world, object, entry)) {
      Token token = Token.of(object, name).orElseThrow();
      steps.add(
          begins,
          space.withEvaluation(world, check, new Evaluation(token, Reading.admitted(object), true)),
          entry.is(CheckState.PENDING));
    }
  }

  /** At least whenever the controller would: a Ready may be asked for again, a Retry be woken. */
  private boolean isDue(World world, Workload object, AdmissionCheckState entry) {
    var phase = io.github.kueue4j.sdk.internal.fence.Phase.of(object);
    if (entry.is(CheckState.PENDING)) {
      return observes(world)
          ? phase.holdsReservation()
          : phase == io.github.kueue4j.sdk.internal.fence.Phase.RESERVED
              || (phase == io.github.kueue4j.sdk.internal.fence.Phase.QUEUED
                  && isAskedBefore(world, object));
    }
    if (!world.may(trouble)) {
      return false;
    }
    if (entry.is(CheckState.READY)) {
      return phase.holdsReservation();
    }
    return kind == CheckKind.WAKE
        && entry.is(CheckState.RETRY)
        && phase == io.github.kueue4j.sdk.internal.fence.Phase.BACKOFF;
  }

  private boolean isAskedBefore(World world, Workload object) {
    return rules.beforeQuota(space.around(world)).containsKey(name) && CheckStage.asks(object);
  }

  private void answers(World world, Evaluation evaluation, Steps steps) {
    Token token = evaluation.token();
    if (token == null) {
      return;
    }
    World done = space.withEvaluation(world, check, Evaluation.EMPTY);
    if (token.entry().state().equals(CheckState.RETRY)) {
      delayEnds(world, evaluation, token, done, steps);
      return;
    }
    for (int i = 0; i < verdicts.size(); i++) {
      boolean record = verdicts.get(i) instanceof Verdict.Ready ready && isRecord(ready);
      boolean free = record ? observes(world) : i < 2;
      if (!free && !world.may(trouble)) {
        continue;
      }
      World paid = free ? done : done.spend(trouble);
      switch (decide(world, evaluation, token, i)) {
        case Decision.Write write ->
            steps.add(verdictNames.get(i), written(world, paid, evaluation, token, write, i), free);
        case Decision.Keep keep ->
            steps.add(verdictNames.get(i), kept(paid, evaluation, verdicts.get(i)), free);
        case Decision.Drop drop -> steps.add(drops + drop.cause(), done, true);
        case Decision.DropAndEvaluateAnew drop -> steps.add(drops + drop.cause(), done, true);
      }
    }
  }

  private static boolean isRecord(Verdict.Ready ready) {
    return ready.message().equals(Essence.RECORD);
  }

  private void delayEnds(World world, Evaluation evaluation, Token token, World done, Steps steps) {
    if (!world.may(trouble)) {
      return;
    }
    World paid = done.spend(trouble);
    int number = verdicts.size();
    Decision decision =
        decided.computeIfAbsent(
            key(world, number), asked -> Fence.endDelay(name, token, space.object(world), ""));
    switch (decision) {
      case Decision.Write write -> {
        Stored stored =
            written.computeIfAbsent(
                key(world, number),
                unused -> examined(world, evaluation, token, write, CheckActor::ended));
        steps.add(name + " ends its delay", store(paid, stored, evaluation.current()), false);
      }
      case Decision.Keep keep -> steps.add(name + " leaves its delay", paid, false);
      case Decision.Drop drop -> steps.add(drops + drop.cause(), done, true);
      case Decision.DropAndEvaluateAnew drop -> steps.add(drops + drop.cause(), done, true);
    }
  }

  /** Nothing of the entry but its delay and message is another one. */
  private static void ended(AdmissionCheckState before, AdmissionCheckState after) {
    require(
        after.equals(before.withRequeueAfterSeconds(0).withMessage(after.message())),
        "side of the checks: more than the delay ends:",
        after);
    require(after.is(CheckState.RETRY), "side of the checks: the end of a delay of no Retry");
  }

  private long key(World world, int verdict) {
    return ((long) space.evaluationNumber(world, check) << 34)
        | ((long) world.object() << 8)
        | (verdict & 0xff);
  }

  private Decision decide(World world, Evaluation evaluation, Token token, int verdict) {
    return decided.computeIfAbsent(
        key(world, verdict),
        asked ->
            Fence.decide(
                name,
                token,
                space.object(world),
                evaluation.admitted(),
                verdicts.get(verdict),
                Times.NOW));
  }

  private World kept(World world, Evaluation evaluation, Verdict verdict) {
    return verdict instanceof Verdict.Ready ready && !isRecord(ready)
        ? space.with(world, space.ghost(world).readyFor(check, evaluation.current()))
        : world;
  }

  private World written(
      World world,
      World paid,
      Evaluation evaluation,
      Token token,
      Decision.Write write,
      int verdict) {
    Stored stored =
        written.computeIfAbsent(
            key(world, verdict),
            unused ->
                examined(
                    world,
                    evaluation,
                    token,
                    write,
                    (before, after) -> {
                      said(after, verdicts.get(verdict));
                      require(
                          !after.is(CheckState.PENDING)
                              || before.is(CheckState.PENDING)
                              || !Reading.admitted(space.object(world)),
                          "side of the checks: what is admitted is judged anew:",
                          after);
                      require(
                          evaluation.admitted()
                              || !before.is(CheckState.READY)
                              || after.is(CheckState.READY)
                              || !Reading.admitted(space.object(world))
                              || Reading.evicted(space.object(world)),
                          "side of the checks: an answer from before the admission ends it:",
                          after);
                      dates(space.object(world), before, after);
                    }));
    return store(paid, stored, evaluation.current());
  }

  private Stored examined(
      World world,
      Evaluation evaluation,
      Token token,
      Decision.Write write,
      BiConsumer<AdmissionCheckState, AdmissionCheckState> rules) {
    Workload object = space.object(world);
    AdmissionCheckState before = write.before();
    AdmissionCheckState after = write.after();
    require(before.equals(Space.entry(object, name)), "6: the fence writes on another entry");
    require(
        token.equals(Token.of(object, name).map(now -> replacing(token, now)).orElse(null)),
        "side of the checks: an answer on an entry that was reset:",
        before);
    rules.accept(before, after);
    own(before, after);
    place(object, evaluation, token, after);
    return stored(object, before, after);
  }

  /** The token with the entry of another: the reservation is judged elsewhere. */
  private static Token replacing(Token token, Token now) {
    return new Token(token.uid(), token.reservation(), now.entry());
  }

  /** The written entry equals the verdict. */
  private static void said(AdmissionCheckState after, Verdict verdict) {
    CheckState state =
        switch (verdict) {
          case Verdict.Ready ready -> CheckState.READY;
          case Verdict.Pending pending -> CheckState.PENDING;
          case Verdict.Retry retry -> CheckState.RETRY;
          case Verdict.Rejected rejected -> CheckState.REJECTED;
          case Verdict.Unchanged unchanged -> after.state();
        };
    require(after.is(state), "side of the checks: another state than the verdict's:", after);
    if (verdict instanceof Verdict.Retry retry) {
      Integer asked =
          retry.delay() instanceof Delay.Exact exact
              ? (Integer) Math.toIntExact(exact.duration().toSeconds())
              : null;
      require(
          Objects.equals(asked, after.requeueAfterSeconds()),
          "side of the checks: another delay than the verdict's:",
          after);
    }
  }

  /** Invariant 7: a check owns its entry, except for the count. */
  private void own(AdmissionCheckState before, AdmissionCheckState after) {
    require(after.name().equals(name), "7: a verdict changes the entry of", after.name());
    int was = before.retryCount() == null ? 0 : before.retryCount();
    int is = after.retryCount() == null ? 0 : after.retryCount();
    require(was == is, "7: a verdict changes retryCount", was, is);
    require(
        after.requeueAfterSeconds() == null || after.is(CheckState.RETRY),
        "7: only a Retry has a delay:",
        after);
  }

  /** A date moves with its state only. */
  private static void dates(
      Workload object, AdmissionCheckState before, AdmissionCheckState after) {
    Instant was = before.lastTransitionTime();
    Instant is = after.lastTransitionTime();
    if (!before.state().equals(after.state())) {
      require(
          !is.isBefore(Reading.quotaReservedDate(object)),
          "side of the checks: a verdict is dated before its reservation");
    } else {
      require(
          is.equals(was), "side of the checks: a verdict's date moves without its state:", after);
    }
  }

  /**
   * The table of {@code docs/lifecycle.md#the-side-of-the-checks}: where a verdict may be written.
   */
  private void place(
      Workload object, Evaluation evaluation, Token token, AdmissionCheckState after) {
    require(
        object.spec().active(), "side of the checks: a verdict on a deactivated workload:", after);
    require(
        !Reading.finished(object), "side of the checks: a verdict on a finished workload:", after);
    require(
        token.uid().equals(object.metadata().getUid()),
        "side of the checks: a verdict on another workload of the same name:",
        after);
    require(
        evaluation.current(),
        "side of the checks: a verdict on another reservation is written:",
        after);
    boolean held = Reading.reserved(object) && !Reading.evicted(object);
    if (after.is(CheckState.READY) || after.is(CheckState.PENDING)) {
      require(
          held || (!Reading.reserved(object) && CheckStage.asks(object)),
          "side of the checks: a late",
          after.state());
    }
    if (!Reading.reserved(object)) {
      require(
          inBackoff(object) || CheckStage.asks(object),
          "side of the checks: a verdict between the backoff and a reservation:",
          after);
    }
  }

  private static boolean inBackoff(Workload object) {
    Condition requeued = Reading.condition(object, WorkloadConditions.REQUEUED);
    return PatchInvariants.has(object, CheckState.RETRY)
        || (requeued != null
            && requeued.isFalse()
            && (requeued.reason().equals("AdmissionCheck")
                || requeued.reason().equals("PodsReadyTimeout")));
  }

  private Stored stored(Workload object, AdmissionCheckState before, AdmissionCheckState after) {
    WorkloadStatus status = object.status().withAdmissionCheck(after);
    return new Stored(
        space.number(Essence.of(object.withStatus(status))),
        Delays.promised(rules, before, after),
        after.is(CheckState.READY) && !Essence.isRecord(after),
        after.equals(before));
  }

  private World store(World world, Stored stored, boolean current) {
    Phase phase = core.phase(world);
    Ghost ghost = space.ghost(world);
    Ghost seen =
        ghost
            .word(check, observes(world) ? 0 : stored.promised())
            .readyFor(check, stored.ready() && current);
    if (ghost.counts()) {
      // One more patch for a changed delay, two for a Retry in the queue: to hold, and to requeue.
      boolean waits = phase == Phase.BACKOFF || phase == Phase.EVICTING;
      seen = seen.patches(ghost.patches() + (waits ? 1 : 2));
    }
    return space.with(world.written(stored.object()), seen);
  }

  // --- naive ----------------------------------------------------------------------------------

  private void naive(
      World world, Workload object, AdmissionCheckState entry, boolean everything, Steps steps) {
    Phase phase = core.phase(world);
    if (entry.is(CheckState.PENDING)
        && (phase == Phase.RESERVED || (phase == Phase.QUEUED && isAskedBefore(world, object)))) {
      says(world, object, entry, new Say(CheckState.READY, 0, Rules.NO_DELAY), true, steps);
    }
    if (!everything || !world.may(trouble)) {
      return;
    }
    World paid = world.spend(trouble);
    for (int skew : rules.skews()) {
      for (int delay : rules.delays()) {
        says(paid, object, entry, new Say(CheckState.RETRY, skew, delay), false, steps);
      }
    }
    for (CheckState state : List.of(CheckState.READY, CheckState.REJECTED, CheckState.PENDING)) {
      says(paid, object, entry, new Say(state, 0, Rules.NO_DELAY), false, steps);
    }
  }

  private void says(
      World world, Workload object, AdmissionCheckState entry, Say say, boolean free, Steps steps) {
    Stored stored =
        said.computeIfAbsent(
            new Said(world.object(), say), unused -> stored(object, entry, entry(entry, say)));
    if (!stored.same()) {
      steps.add(
          sayings.computeIfAbsent(say, one -> name + " says " + one),
          store(world, repeats(world, say) ? stored.promisingNothing() : stored, false),
          free);
    }
  }

  /** Whether the core may take this new Retry for the one that it saw last, by its date. */
  private boolean repeats(World world, Say say) {
    if (!world.may(Trouble.REPEATED_DATE)
        || !rules.skewed()
        || !say.state().equals(CheckState.RETRY)) {
      return false;
    }
    Instant dated = Times.NOW.plusSeconds(say.dated());
    ObservedEntries seen = space.sightings(world.observedEntries());
    ObservedEntries.Retry last = seen.retries().get(name);
    return last != null
        && (last.identity().equals(dated)
            || seen.unconfirmed().getOrDefault(name, Set.of()).stream()
                .anyMatch(recorded -> recorded.identity().equals(dated)));
  }

  private AdmissionCheckState entry(AdmissionCheckState before, Say say) {
    return new AdmissionCheckState(
        name,
        say.state(),
        Times.NOW.plusSeconds(say.dated()),
        "",
        secondsOf(say.delay()),
        before.retryCount(),
        List.of(),
        null);
  }

  private static @Nullable Integer secondsOf(int delay) {
    return delay < 0 ? null : delay;
  }
}
