// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.selectors.LabelSyntax;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks single writes against the rules that every write must keep. Pure. */
final class WriteJudge {
  private static final int LONGEST_MESSAGE = 32_768;

  private final String check;
  private final Findings findings;

  WriteJudge(String check, Findings findings) {
    this.check = check;
    this.findings = findings;
  }

  /**
   * Judges all writes of a run.
   *
   * @param writes without those that undid what others wrote at the same time, which have a rule of
   *     their own
   */
  void judge(List<ObservedWrite> writes) {
    writes.forEach(this::others);
    List<ObservedWrite> words = writes.stream().filter(write -> write.changes(check)).toList();
    words.forEach(this::word);
    if (words.isEmpty()) {
      for (Rule rule : List.of(Rule.TRANSITION_TIME, Rule.RETRY_COUNT, Rule.DELAY, Rule.MESSAGE)) {
        findings.skip(rule, "the controller wrote nothing that could be judged");
      }
      findings.skip(Rule.POD_SET_UPDATES, "the controller wrote nothing that could be judged");
      return;
    }
    String seen = words.size() + " words of the controller";
    for (Rule rule :
        List.of(
            Rule.TRANSITION_TIME,
            Rule.RETRY_COUNT,
            Rule.DELAY,
            Rule.MESSAGE,
            Rule.POD_SET_UPDATES,
            Rule.OWN_ENTRY,
            Rule.OTHER_FIELDS)) {
      findings.pass(rule, seen);
    }
  }

  private void others(ObservedWrite write) {
    Set<String> names = new HashSet<>();
    for (ObjectNode version : List.of(write.before(), write.after())) {
      version
          .path("status")
          .path("admissionChecks")
          .forEach(entry -> names.add(Trees.text(entry, "name")));
    }
    // Where the controller isn't asked at all, that is the rule it breaks.
    boolean asked = names.remove(check);
    for (String other : names) {
      if (write.changes(other)) {
        findings.fail(asked ? Rule.OWN_ENTRY : Rule.FOREIGN_CHECK, write.describe(other));
      }
    }
    otherField(write, "spec", write.before().path("spec"), write.after().path("spec"));
    otherField(write, "status", besidesEntries(write.before()), besidesEntries(write.after()));
    for (String field : List.of("labels", "ownerReferences")) {
      otherField(
          write,
          "metadata." + field,
          write.before().path("metadata").path(field),
          write.after().path("metadata").path(field));
    }
  }

  private void otherField(ObservedWrite write, String field, JsonNode before, JsonNode after) {
    if (!before.equals(after)) {
      findings.fail(
          Rule.OTHER_FIELDS,
          Trees.name(write.after()) + ": " + field + " " + before + " became " + after);
    }
  }

  private static JsonNode besidesEntries(ObjectNode workload) {
    ObjectNode status = Trees.fresh(Trees.object(workload, "status"));
    status.remove("admissionChecks");
    return status;
  }

  private void word(ObservedWrite write) {
    JsonNode before = ObservedWrite.entry(write.before(), check);
    JsonNode after = ObservedWrite.entry(write.after(), check);
    if (after.isMissingNode()) {
      findings.fail(Rule.OTHER_FIELDS, "it removed its entry; " + write.describe(check));
      return;
    }
    if (before.isMissingNode()) {
      findings.fail(Rule.NOT_LISTED, write.describe(check));
      return;
    }
    String state = Trees.text(after, "state");
    boolean moved =
        !Trees.text(before, "lastTransitionTime").equals(Trees.text(after, "lastTransitionTime"));
    boolean stateStays = Trees.text(before, "state").equals(state);
    // Dates are whole seconds: only what the kit dated back must surely differ from now.
    boolean datedBack =
        Trees.text(before, "lastTransitionTime").equals(write.conditionBefore("QuotaReserved"));
    if (moved ? stateStays : !stateStays && datedBack) {
      findings.fail(Rule.TRANSITION_TIME, write.describe(check));
    }
    if (!before.path("retryCount").equals(after.path("retryCount"))) {
      findings.fail(Rule.RETRY_COUNT, write.describe(check));
    }
    JsonNode delay = after.path("requeueAfterSeconds");
    if (!delay.isMissingNode() && (!state.equals("Retry") || delay.asLong() < 0)) {
      findings.fail(Rule.DELAY, write.describe(check));
    }
    String message = Trees.text(after, "message");
    boolean decided = state.equals("Retry") || state.equals("Rejected");
    if ((decided && message.isBlank()) || message.length() > LONGEST_MESSAGE) {
      findings.fail(Rule.MESSAGE, write.describe(check));
    }
    podSetUpdates(write, after, state);
  }

  private void podSetUpdates(ObservedWrite write, JsonNode entry, String state) {
    Set<String> podSets = new HashSet<>();
    write.after().path("spec").path("podSets").forEach(each -> podSets.add(podSetName(each)));
    for (JsonNode update : entry.path("podSetUpdates")) {
      if (!state.equals("Ready")) {
        findings.fail(Rule.POD_SET_UPDATES, "with " + state + "; " + write.describe(check));
      } else if (!podSets.remove(Trees.text(update, "name"))) {
        findings.fail(
            Rule.POD_SET_UPDATES,
            "no such pod set, or twice: "
                + Trees.text(update, "name")
                + "; "
                + write.describe(check));
      }
      for (String field : List.of("labels", "nodeSelector")) {
        update
            .path(field)
            .properties()
            .forEach(
                label -> {
                  if (!LabelSyntax.isKey(label.getKey())
                      || !LabelSyntax.isValue(label.getValue().asText())) {
                    findings.fail(Rule.POD_SET_UPDATES, "no valid label: " + label);
                  }
                });
      }
    }
  }

  private static String podSetName(JsonNode podSet) {
    String name = Trees.text(podSet, "name");
    return name.isEmpty() ? "main" : name;
  }
}
