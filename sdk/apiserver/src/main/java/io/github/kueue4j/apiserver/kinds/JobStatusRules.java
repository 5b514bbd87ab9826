// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a write to a Job's status from Kubernetes 1.32 on (KEP-4368): a Job has started and
 * has no pods left when it ends, says why before it says that it has ended, and stays so. What a
 * write leaves as it was isn't judged anew. The lists of indexes aren't parsed.
 */
final class JobStatusRules {
  private static final String COMPLETE = "Complete";
  private static final String FAILED = "Failed";
  private static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
  private static final String FAILURE_TARGET = "FailureTarget";
  private static final String SUSPENDED = "Suspended";
  private static final List<String> COUNTS =
      List.of("active", "succeeded", "failed", "ready", "terminating");

  private final ObjectNode spec;
  private final ObjectNode old;
  private final ObjectNode status;
  private final List<FieldError> errors = new ArrayList<>();

  private JobStatusRules(ObjectNode spec, ObjectNode old, ObjectNode status) {
    this.spec = spec;
    this.old = old;
    this.status = status;
  }

  /** Says what is wrong with the change of a Job's status, in the order of the real server. */
  static List<FieldError> check(ObjectNode old, ObjectNode job) {
    JobStatusRules rules =
        new JobStatusRules(
            Trees.object(job, "spec"), Trees.object(old, "status"), Trees.object(job, "status"));
    if (!rules.old.equals(rules.status)) {
      rules.checkAlone();
      rules.checkTransition();
    }
    return rules.errors;
  }

  private void checkAlone() {
    for (String count : COUNTS) {
      invalid(count(status, count) < 0, count, "must be greater than or equal to 0");
    }
    contradiction(
        (flips(COMPLETE) || flips(FAILED)) && is(COMPLETE) && is(FAILED),
        "cannot set Complete=True and Failed=true conditions");
    contradiction(
        (flips(COMPLETE) || flips(FAILURE_TARGET)) && is(COMPLETE) && is(FAILURE_TARGET),
        "cannot set Complete=True and FailureTarget=true conditions");
    checkCompletionTime();
    contradiction(
        (flips(FAILED) || changes("failedIndexes")) && is(FAILED) && !is(FAILURE_TARGET),
        "cannot set Failed=True condition without the FailureTarget=true condition");
    contradiction(
        (flips(COMPLETE) || flips(SUCCESS_CRITERIA_MET))
            && is(COMPLETE)
            && !is(SUCCESS_CRITERIA_MET),
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    checkEnd();
    checkIndexes();
    invalid(
        (ends() || changes("terminating")) && ended(status) && count(status, "terminating") > 0,
        "terminating",
        "terminating>0 is invalid for finished job");
    invalid(
        (changes("ready") || changes("active")) && count(status, "ready") > count(status, "active"),
        "ready",
        "cannot set more ready pods than active");
    contradiction(
        is(SUCCESS_CRITERIA_MET) && is(FAILED),
        "cannot set SuccessCriteriaMet=True and Failed=true conditions");
    contradiction(
        is(SUCCESS_CRITERIA_MET) && is(FAILURE_TARGET),
        "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
    contradiction(
        spec.hasNonNull("successPolicy") && is(COMPLETE) && !is(SUCCESS_CRITERIA_MET),
        "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }

  private void checkCompletionTime() {
    boolean judged = flips(COMPLETE) || changesTime("completionTime");
    Instant start = time(status, "startTime");
    Instant completion = time(status, "completionTime");
    invalid(
        judged && completion != null && !is(COMPLETE),
        "completionTime",
        "cannot set completionTime when there is no Complete=True condition");
    required(
        judged && completion == null && is(COMPLETE),
        "completionTime",
        "completionTime is required for Complete jobs");
    invalid(
        (changesTime("startTime") || changesTime("completionTime"))
            && start != null
            && completion != null
            && completion.isBefore(start),
        "completionTime",
        "must be equal to or after `startTime`");
  }

  private void checkEnd() {
    invalid(
        (ends() || changes("active")) && ended(status) && count(status, "active") > 0,
        "active",
        "active>0 is invalid for finished job");
    boolean nothingToDo =
        spec.path("suspend").asBoolean()
            && spec.hasNonNull("completions")
            && spec.path("completions").asInt() == 0;
    required(
        (ends() || changesTime("startTime"))
            && !nothingToDo
            && ended(status)
            && !status.hasNonNull("startTime"),
        "startTime",
        "startTime is required for finished job");
    ObjectNode uncounted = Trees.object(status, "uncountedTerminatedPods");
    invalid(
        (ends() || changes("uncountedTerminatedPods"))
            && ended(status)
            && uncounted.path("succeeded").size() + uncounted.path("failed").size() > 0,
        "uncountedTerminatedPods",
        "must be empty for finished job");
  }

  private void checkIndexes() {
    invalid(
        changes("completedIndexes")
            && !Trees.text(status, "completedIndexes").isEmpty()
            && !indexed(),
        "completedIndexes",
        "cannot set non-empty completedIndexes when non-indexed completion mode");
    invalid(
        changes("failedIndexes")
            && status.hasNonNull("failedIndexes")
            && !spec.hasNonNull("backoffLimitPerIndex"),
        "failedIndexes",
        "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
  }

  private void checkTransition() {
    for (String end : List.of(FAILED, COMPLETE, FAILURE_TARGET)) {
      contradiction(
          is(old, end) && !is(end), "cannot disable the terminal " + end + "=True condition");
    }
    invalid(decreases("failed"), "failed", "cannot decrease the failed counter");
    boolean scalable = indexed() && same(spec.get("completions"), spec.get("parallelism"));
    invalid(
        decreases("succeeded") && !scalable, "succeeded", "cannot decrease the succeeded counter");
    invalid(
        time(old, "completionTime") != null
            && time(status, "completionTime") != null
            && changesTime("completionTime"),
        "completionTime",
        "field is immutable");
    boolean resumes = is(old, SUSPENDED) && has(status, SUSPENDED, "False");
    invalid(
        changesTime("startTime")
            && !resumes
            && time(old, "startTime") != null
            && !spec.path("suspend").asBoolean(),
        "startTime",
        "field is immutable for unsuspended job once set");
    contradiction(
        is(old, SUCCESS_CRITERIA_MET) && !is(SUCCESS_CRITERIA_MET),
        "cannot disable the SuccessCriteriaMet=True condition");
    contradiction(
        is(old, COMPLETE) && !is(old, SUCCESS_CRITERIA_MET) && is(SUCCESS_CRITERIA_MET),
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
  }

  private boolean indexed() {
    return Trees.text(spec, "completionMode").equals("Indexed");
  }

  private boolean is(String condition) {
    return is(status, condition);
  }

  private static boolean is(ObjectNode status, String condition) {
    return has(status, condition, "True");
  }

  private static boolean has(ObjectNode status, String condition, String value) {
    for (JsonNode each : status.path("conditions")) {
      if (Trees.text(each, "type").equals(condition)) {
        return Trees.text(each, "status").equals(value);
      }
    }
    return false;
  }

  private static boolean ended(ObjectNode status) {
    return is(status, COMPLETE) || is(status, FAILED);
  }

  private boolean flips(String condition) {
    return is(old, condition) != is(condition);
  }

  private boolean ends() {
    return ended(old) != ended(status);
  }

  private boolean changes(String field) {
    return !same(old.get(field), status.get(field));
  }

  private boolean changesTime(String field) {
    return !Objects.equals(time(old, field), time(status, field));
  }

  private boolean decreases(String count) {
    return count(status, count) < count(old, count);
  }

  /** A count that is absent is the same as none. */
  private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
    return Objects.equals(orZero(one), orZero(other));
  }

  private static @Nullable JsonNode orZero(@Nullable JsonNode value) {
    return value != null && value.isNumber() && value.asInt() == 0 ? null : value;
  }

  private static int count(ObjectNode status, String field) {
    return status.path(field).asInt();
  }

  private static @Nullable Instant time(ObjectNode status, String field) {
    String text = Trees.text(status, field);
    return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
  }

  private void contradiction(boolean refused, String detail) {
    refuse(refused, FieldError.ErrorType.INVALID, "conditions", null, detail);
  }

  private void invalid(boolean refused, String field, String detail) {
    refuse(refused, FieldError.ErrorType.INVALID, field, named(field), detail);
  }

  /** The value as the API names it: a count that is absent is 0, and anything else is null. */
  private JsonNode named(String field) {
    return COUNTS.contains(field)
        ? IntNode.valueOf(count(status, field))
        : Objects.requireNonNullElse(status.get(field), NullNode.getInstance());
  }

  private void required(boolean refused, String field, String detail) {
    refuse(refused, FieldError.ErrorType.REQUIRED, field, null, detail);
  }

  private void refuse(
      boolean refused,
      FieldError.ErrorType type,
      String field,
      @Nullable JsonNode value,
      String detail) {
    if (refused) {
      errors.add(new FieldError("status." + field, type, value, detail));
    }
  }
}
