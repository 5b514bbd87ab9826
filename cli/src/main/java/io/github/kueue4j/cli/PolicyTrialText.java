// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.github.kueue4j.api.Admission;
import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.observe.dryrun.SampleWorkload;
import io.github.kueue4j.policycheck.PolicyTrial;
import io.github.kueue4j.policycheck.PolicyTrial.TriedRule;
import io.github.kueue4j.policycheck.PolicyTrial.TriedWorkload;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The answers of the rules of a PolicyCheck, as text for a person, or as a tree for a program.
 *
 * @param name of the PolicyCheck
 * @param at when they are asked
 * @param tried in the order of the documents
 */
record PolicyTrialText(
    String name, PolicyTrial trial, Instant at, Map<SampleWorkload, TriedWorkload> tried) {
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("EEEE, uuuu-MM-dd HH:mm VV", Locale.ENGLISH);

  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  /** Whether each rule that was asked could be evaluated. */
  boolean sound() {
    return tried.values().stream().allMatch(TriedWorkload::sound);
  }

  static String text(List<PolicyTrialText> trials) {
    return trials.stream()
        .map(PolicyTrialText::text)
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private String text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "valid: PolicyCheck %s, %d %s, time zone %s"
            .formatted(name, trial.rules(), trial.rules() == 1 ? "rule" : "rules", trial.zone()));
    trial.remarks().forEach(remark -> lines.add("note: " + remark));
    tried.forEach((sample, result) -> add(lines, sample, result));
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  private void add(List<String> lines, SampleWorkload sample, TriedWorkload result) {
    lines.add("");
    lines.add(
        "%s %s on %s: %s"
            .formatted(
                sample.kind(),
                sample.object(),
                MINUTES.format(at.atZone(trial.zone())),
                result.entry().state()));
    lines.add("");
    lines.add("Rules");
    new Table(List.of("", ""))
        .more(result.rules().stream().map(rule -> List.of(rule.name(), words(rule))).toList())
        .forEach(line -> lines.add("  " + line));
    lines.add("");
    lines.add("The check");
    lines.add("  " + DryRunText.wouldAnswer(result.entry()));
    lines.add("");
    lines.add("What the rules know");
    List<List<String>> facts = new ArrayList<>();
    result.facts().forEach((variable, value) -> add(facts, variable, value));
    result
        .windows()
        .forEach((window, open) -> facts.add(List.of("windows." + window, open.toString())));
    new Table(List.of("", "")).more(facts).forEach(line -> lines.add("  " + line));
    List<String> notes = notes(sample, result);
    if (!notes.isEmpty()) {
      lines.add("");
      lines.add("Notes");
      notes.forEach(note -> lines.add("  " + note));
    }
  }

  private static String words(TriedRule rule) {
    String state =
        switch (rule.state()) {
          case HOLDS -> "holds";
          case DOES_NOT_HOLD -> "doesn't hold";
          case FAILED -> "can't be evaluated";
          case NOT_ASKED -> "not asked";
        };
    return rule.why().isEmpty() ? state : state + ": " + rule.why();
  }

  /** Adds a row for each field of the Workload, under the name that it has in rules. */
  private static void add(List<List<String>> facts, String name, Object value) {
    if (name.equals("workload") && value instanceof Map<?, ?> fields) {
      fields.forEach((field, one) -> facts.add(List.of(name + "." + field, json(one))));
    } else {
      facts.add(List.of(name, json(value)));
    }
  }

  private static String json(Object value) {
    return GSON.toJson(value);
  }

  /** The facts that rules may ask for and that the documents don't give. */
  private static List<String> notes(SampleWorkload sample, TriedWorkload result) {
    List<String> notes = new ArrayList<>();
    sample
        .priorityClass()
        .ifPresent(
            missing ->
                notes.add(
                    "its priority class "
                        + missing
                        + " isn't among the documents: workload.priority is 0"));
    Admission admission =
        Objects.requireNonNull(sample.workload().status().admission(), "admission");
    if (admission.clusterQueue().isEmpty()) {
      notes.add("its ClusterQueue isn't known: give --cluster-queue if rules ask for it");
    }
    if (admission.podSetAssignments().stream().allMatch(podSet -> podSet.flavors().isEmpty())) {
      notes.add("its flavors aren't known: give --flavor if rules ask for them");
    }
    if (!result.sound() && !sample.kind().equals("Workload")) {
      notes.add(
          "if a field isn't there that the API server or a webhook sets, let them set it: kubectl"
              + " create --dry-run=server -o yaml -f FILE prints a sample that has it");
    }
    return notes;
  }

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("remarks", trial.remarks());
    tree.put("at", at.toString());
    tree.put("timeZone", trial.zone().toString());
    List<Map<String, Object>> results = new ArrayList<>();
    tried.forEach((sample, result) -> results.add(tree(sample, result)));
    tree.put("results", results);
    return tree;
  }

  private Map<String, Object> tree(SampleWorkload sample, TriedWorkload result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", sample.kind());
    tree.put("namespace", sample.object().namespace());
    tree.put("name", sample.object().name());
    DryRunText.put(result.entry(), tree);
    tree.put("rules", result.rules().stream().map(PolicyTrialText::tree).toList());
    tree.put("knows", result.facts());
    tree.put("windows", result.windows());
    tree.put("notes", notes(sample, result));
    return tree;
  }

  private static Map<String, Object> tree(TriedRule rule) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", rule.name());
    tree.put("state", rule.state().code());
    tree.put("why", rule.why());
    return tree;
  }
}
