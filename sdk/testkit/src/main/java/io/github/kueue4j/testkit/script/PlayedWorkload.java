// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A Workload whose lifecycle a script plays. Steps return the workload, so that they can be
 * chained; each is one patch of the status with a resourceVersion precondition, decided anew if
 * another client wrote in between. The letters in brackets name the rules of {@code
 * docs/lifecycle.md}.
 *
 * @see io.github.kueue4j.testkit.junit.KueueTest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PlayedWorkload {
  private static final int TRIES = 50;
  private static final String QUEUE = "script";

  private final KueueScript script;
  private final ObjectKey key;

  PlayedWorkload(KueueScript script, ObjectKey key) {
    this.script = script;
    this.key = key;
  }

  public ObjectKey key() {
    return key;
  }

  /** The object as it is on the server. */
  public Workload read() {
    return KueueJson.fromJson(tree().toString(), Workload.class);
  }

  /** The object as it is on the server, with whatever this version of the API doesn't know. */
  public ObjectNode tree() {
    return script
        .read(key)
        .orElseThrow(() -> new StepFailedException("there is no Workload " + key));
  }

  /**
   * The entry of this check.
   *
   * @throws StepFailedException if the Workload doesn't ask it
   */
  public AdmissionCheckState entry(String check) {
    return read()
        .status()
        .admissionCheck(check)
        .orElseThrow(() -> new StepFailedException(key + " has no entry of " + check));
  }

  /**
   * Reserves quota [R1] and asks the checks: exactly these entries, each Pending since the
   * reservation.
   *
   * @param checks names of AdmissionChecks; none means all that there are on the server
   * @throws StepFailedException if quota is reserved already, or a check's Retry or Rejected still
   *     stands: {@link #requeue} first
   */
  public PlayedWorkload reserve(String... checks) {
    return reserve((draft, since) -> {}, checks);
  }

  /**
   * {@link #reserve Reserves} quota and sets a condition True in the same patch, so that no client
   * ever sees the reservation without it: {@code Evicted} or {@code Finished}.
   */
  public PlayedWorkload reserveWith(String condition, String reason, String... checks) {
    return reserve(
        (draft, since) -> draft.condition(condition, true, reason, "Set by the script", since),
        checks);
  }

  private PlayedWorkload reserve(BiConsumer<StatusDraft, Instant> besides, String... checks) {
    List<String> asked = checks.length == 0 ? script.checks() : List.of(checks);
    String flavor = script.flavor();
    return write(
        "reserve",
        (workload, draft) -> {
          must(!draft.isTrue("QuotaReserved"), "reserve", "its quota is reserved already");
          must(
              !draft.anyIn("Retry") && !draft.anyIn("Rejected"),
              "reserve",
              "a check said Retry or Rejected: backOff() and requeue(), or reject(), come first");
          Instant since =
              draft
                  .since("QuotaReserved")
                  .map(previous -> previous.plusSeconds(1))
                  .filter(next -> next.isAfter(draft.now()))
                  .orElse(draft.now());
          draft.conditionSince("QuotaReserved", true, "QuotaReserved", since);
          for (String over : List.of("Evicted", "Preempted")) {
            if (draft.isTrue(over)) {
              draft.condition(over, false, "QuotaReserved", "Previously evicted", since);
            }
          }
          draft.ask(asked, since).requeueAt(null);
          draft.tree().set("admission", admission(workload, flavor));
          if (asked.isEmpty()) {
            draft.condition("Admitted", true, "Admitted", "No check is asked.", since);
          }
          besides.accept(draft, since);
        });
  }

  /** Lists the checks, each Pending, without reserving quota: as while waiting in the queue. */
  public PlayedWorkload list(String... checks) {
    List<String> asked = checks.length == 0 ? script.checks() : List.of(checks);
    return write("list", (workload, draft) -> draft.ask(asked, draft.now()));
  }

  private static ObjectNode admission(ObjectNode workload, String flavor) {
    ObjectNode admission = Trees.empty().put("clusterQueue", QUEUE);
    ArrayNode assignments = admission.putArray("podSetAssignments");
    Workload typed = KueueJson.fromJson(workload.toString(), Workload.class);
    for (PodSet podSet : typed.spec().podSets()) {
      ObjectNode assignment = assignments.addObject().put("name", podSet.name());
      assignment.put("count", podSet.count());
      ObjectNode flavors = assignment.putObject("flavors");
      ObjectNode usage = assignment.putObject("resourceUsage");
      PodRequests.of(podSet.template().getSpec())
          .forEach(
              (resource, amount) -> {
                flavors.put(resource, flavor);
                usage.put(resource, amount.multiply(podSet.count()).toString());
              });
    }
    return admission;
  }

  /** Waits until every check says Ready, and admits [R2]: the counts of former rounds are over. */
  public PlayedWorkload admit() {
    awaitWord(
        "every check to say Ready",
        workload ->
            workload.status().admissionChecks().stream()
                .allMatch(entry -> entry.is(CheckState.READY)),
        this::silentChecks);
    return write(
        "admit",
        (workload, draft) -> {
          must(draft.isTrue("QuotaReserved"), "admit", "no quota is reserved");
          draft.forgetCounts().condition("Admitted", true, "Admitted", "The workload is admitted");
        });
  }

  /**
   * Evicts at once, also in the middle of an evaluation: Evicted=True, while the owner still holds
   * the quota; {@link #release} comes next.
   *
   * @param reason such as {@code Preempted} or {@code PodsReadyTimeout}
   */
  public PlayedWorkload evict(String reason) {
    return write(
        "evict",
        (workload, draft) -> {
          must(draft.isTrue("QuotaReserved"), "evict", "no quota is reserved");
          draft.condition("Evicted", true, reason, "Evicted by the script");
          if (reason.equals("Preempted")) {
            draft.condition("Preempted", true, "InClusterQueue", "Preempted by the script");
          }
        });
  }

  /**
   * The owner has stopped [R4]: the quota is free. In backoff if a check said Retry, else ready to
   * be queued again.
   */
  public PlayedWorkload release() {
    return write("release", (workload, draft) -> free(draft));
  }

  private static void free(StatusDraft draft) {
    must(draft.isTrue("QuotaReserved"), "release", "no quota is reserved");
    String reason = draft.reason("Evicted");
    draft.releaseQuota("Released by the script");
    if (draft.isTrue("Admitted")) {
      draft.condition("Admitted", false, "NoReservation", "The workload has no reservation");
    }
    if (draft.anyIn("Retry")) {
      draft
          .condition("Requeued", false, "AdmissionCheck", "A check asked for a delay")
          .requeueAt(draft.deadline().orElse(null));
    } else if (reason.equals("Preempted")) {
      draft.condition("Requeued", true, "Preempted", "Preempted by the script");
    } else {
      draft.condition("Requeued", false, reason.isEmpty() ? "Evicted" : reason, "Evicted");
    }
  }

  /**
   * Waits until a check says Retry, evicts and releases the quota in one patch [R3]; requeueAt is
   * when the longest delay ends.
   */
  public PlayedWorkload backOff() {
    awaitAny(CheckState.RETRY);
    return write(
        "backOff",
        (workload, draft) -> {
          draft.condition("Evicted", true, "AdmissionCheck", "At least one check asks for a retry");
          free(draft);
        });
  }

  /**
   * Waits until the delays are over, or lets virtual time pass until then, and makes every entry
   * Pending again [R6]: what was Retry counts one more in retryCount.
   */
  public PlayedWorkload requeue() {
    StatusDraft seen = new StatusDraft(tree(), script.now());
    must(!seen.isTrue("QuotaReserved"), "requeue", "its quota is still reserved");
    script.awaitTime(seen.deadline().orElse(null));
    return requeueAtOnce();
  }

  /** As {@link #requeue}, but without waiting for any delay, as a core without delays does. */
  public PlayedWorkload requeueAtOnce() {
    return write(
        "requeue",
        (workload, draft) -> {
          must(!draft.isTrue("QuotaReserved"), "requeue", "its quota is still reserved");
          must(!draft.anyIn("Rejected"), "requeue", "a check said Rejected: reject() it");
          draft
              .resetEntries(true)
              .requeueAt(null)
              .condition("Requeued", true, "BackoffFinished", "The delay is over");
        });
  }

  /** Waits until a check says Rejected, and deactivates for it [R8]. */
  public PlayedWorkload reject() {
    awaitAny(CheckState.REJECTED);
    return inactive("DeactivatedDueToAdmissionCheck");
  }

  /** Deactivates as a user does, and carries it out [R11]. */
  public PlayedWorkload deactivate() {
    return inactive("Deactivated");
  }

  private PlayedWorkload inactive(String reason) {
    spec("active", false);
    return write(
        "deactivate",
        (workload, draft) -> {
          if (draft.isTrue("QuotaReserved")) {
            draft.condition("Evicted", true, reason, "The workload is deactivated");
            if (draft.isTrue("Admitted")) {
              draft.condition("Admitted", false, "NoReservation", "The workload is deactivated");
            }
            draft.releaseQuota("The workload is deactivated");
          }
          draft
              .resetEntries(false)
              .requeueAt(null)
              .condition("Requeued", false, reason, "The workload is deactivated");
        });
  }

  /** Active again and ready to be queued [R9]. */
  public PlayedWorkload reactivate() {
    spec("active", true);
    return write(
        "reactivate",
        (workload, draft) ->
            draft
                .resetEntries(false)
                .condition("Requeued", true, "Reactivated", "The workload was reactivated"));
  }

  private void spec(String field, boolean value) {
    ObjectNode patch = Trees.empty();
    patch.putObject("spec").put(field, value);
    script.patch(key, "", patch, version(tree()));
  }

  private static String version(ObjectNode workload) {
    return Trees.text(Trees.metadata(workload), "resourceVersion");
  }

  /** The owner is done; nothing happens to the Workload any more. */
  public PlayedWorkload finish() {
    return write(
        "finish",
        (workload, draft) -> draft.condition("Finished", true, "Succeeded", "The owner is done"));
  }

  /** Deletes the Workload; its finalizers still hold it. */
  public PlayedWorkload delete() {
    script.delete(key);
    return this;
  }

  /** Changes a field that no controller depends on, so that watchers hear of the Workload again. */
  public PlayedWorkload poke() {
    ObjectNode patch = Trees.empty();
    String version = version(tree());
    patch.putObject("metadata").putObject("annotations").put("example.com/poked-at", version);
    script.patch(key, "", patch, version);
    return this;
  }

  /** Writes a check's entry, as another controller would. */
  public PlayedWorkload say(String check, CheckState state, String message) {
    return entry(
        check,
        (entry, now) -> {
          if (!Trees.text(entry, "state").equals(state.value())) {
            entry.put("lastTransitionTime", Trees.time(now));
          }
          entry.put("state", state.value()).put("message", message);
        });
  }

  /** Writes a Retry with a delay into a check's entry. */
  public PlayedWorkload sayRetry(String check, int requeueAfterSeconds) {
    say(check, CheckState.RETRY, "");
    return entry(check, (entry, now) -> entry.put("requeueAfterSeconds", requeueAfterSeconds));
  }

  private PlayedWorkload entry(String check, BiConsumer<ObjectNode, Instant> change) {
    return write(
        "say",
        (workload, draft) ->
            change.accept(
                draft
                    .entry(check)
                    .orElseThrow(() -> new StepFailedException(key + " has no entry of " + check)),
                draft.now()));
  }

  /**
   * Waits until this check says this.
   *
   * @throws StepFailedException if it doesn't in time, or its controller says for a tenth of the
   *     patience (two seconds at least) that the AdmissionCheck is not Active
   */
  public PlayedWorkload awaitState(String check, CheckState state) {
    return awaitWord(
        check + " to say " + state.value(),
        workload ->
            workload.status().admissionCheck(check).filter(entry -> entry.is(state)).isPresent(),
        () -> List.of(check));
  }

  /** Waits until this check's message is this; fails as {@link #awaitState} does. */
  public PlayedWorkload awaitMessage(String check, String message) {
    return awaitWord(
        check + " to say \"" + message + '"',
        workload ->
            workload
                .status()
                .admissionCheck(check)
                .filter(entry -> entry.message().equals(message))
                .isPresent(),
        () -> List.of(check));
  }

  /**
   * Waits until this check has ended its own delay, as it may after {@link #backOff}: its Retry
   * then has a delay of 0. {@link #requeue} doesn't wait for that, so a test that depends on the
   * time of day, or on changed parameters, waits here first.
   */
  public PlayedWorkload awaitDelayEnded(String check) {
    return awaitWord(
        check + " to end its delay",
        workload ->
            workload
                .status()
                .admissionCheck(check)
                .filter(entry -> entry.is(CheckState.RETRY))
                .filter(entry -> Objects.equals(entry.requeueAfterSeconds(), 0))
                .isPresent(),
        () -> List.of(check));
  }

  private void awaitAny(CheckState state) {
    awaitWord(
        "a check to say " + state.value(),
        workload -> workload.status().admissionChecks().stream().anyMatch(entry -> entry.is(state)),
        this::silentChecks);
  }

  private PlayedWorkload awaitWord(
      String what, Predicate<Workload> condition, Supplier<List<String>> checks) {
    script.awaitWord(what + " on " + key, this::asItIs, () -> readIf(condition), checks);
    return this;
  }

  /** The checks that have not answered yet. */
  private List<String> silentChecks() {
    return read().status().admissionChecks().stream()
        .filter(entry -> entry.is(CheckState.PENDING))
        .map(AdmissionCheckState::name)
        .toList();
  }

  private Optional<Workload> readIf(Predicate<Workload> condition) {
    return script
        .read(key)
        .map(tree -> KueueJson.fromJson(tree.toString(), Workload.class))
        .filter(condition);
  }

  /**
   * Waits until the Workload is like this.
   *
   * @param what completes the sentence "waited in vain for ..."
   * @throws StepFailedException if it doesn't come to be so in time
   */
  public PlayedWorkload await(String what, Predicate<Workload> condition) {
    script.await(what + " on " + key, this::asItIs, () -> readIf(condition));
    return this;
  }

  private String asItIs() {
    return script
        .read(key)
        .map(tree -> "spec.active=" + tree.path("spec").path("active") + " " + tree.path("status"))
        .orElse("gone");
  }

  /** One edit of the status. */
  @FunctionalInterface
  interface Edit {
    void apply(ObjectNode workload, StatusDraft draft);
  }

  /** Changes the status as it is on the server now, in one patch. */
  PlayedWorkload write(String step, Edit edit) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      ObjectNode live = tree();
      StatusDraft draft = new StatusDraft(live, script.now());
      edit.apply(live, draft);
      try {
        script.patch(key, "/status", draft.patchAgainst(live), version(live));
        return this;
      } catch (RefusedRequestException e) {
        if (!e.isConflict()) {
          throw e;
        }
      }
    }
    throw new StepFailedException(
        step
            + ": another client writes "
            + key
            + " all the time; does a queue controller run here?");
  }

  private static void must(boolean holds, String step, String otherwise) {
    if (!holds) {
      throw new StepFailedException("can't " + step + ": " + otherwise);
    }
  }

  @Override
  public String toString() {
    return key.toString();
  }
}
