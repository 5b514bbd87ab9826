// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.observe.dryrun.DryRunOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult;
import io.github.kueue4j.observe.dryrun.DryRunResult.AskedCheck;
import io.github.kueue4j.observe.dryrun.DryRunResult.EvictedWorkload;
import io.github.kueue4j.observe.dryrun.DryRunResult.PartialOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult.TakenQuota;
import io.github.kueue4j.observe.explain.DurationText;
import io.github.kueue4j.observe.explain.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The results of a dry run as text for a person, or as a tree for a program.
 *
 * @param answers what a check would answer
 */
record DryRunText(
    List<DryRunResult> results, Function<AskedCheck, CheckAnswers.ForeseenAnswer> answers) {
  String text() {
    return results.stream().map(this::text).collect(Collectors.joining(System.lineSeparator()));
  }

  private String text(DryRunResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(result.object() + " (" + result.kind() + "): " + result.outcome().code());
    lines.add("");
    lines.add("  " + result.summary());
    section(lines, "Quota", quota(result.takes()));
    section(
        lines,
        "Borrows",
        result.borrows().stream()
            .map(part -> part.resource() + " " + part.amount() + " in " + part.flavor())
            .toList());
    section(lines, "Evicts", result.preempts().stream().map(DryRunText::text).toList());
    String part = result.kind().equals("Deployment") ? "pod" : "group";
    section(
        lines,
        result.parts().isEmpty() ? "Checks" : "Checks, asked about the first " + part,
        result.checks().stream().map(this::text).toList());
    Explanation why = result.explanation();
    if (why != null) {
      lines.add("");
      lines.add("Why: " + why.reason().code());
      if (!result.summary().endsWith(why.summary())) {
        lines.add("  " + why.summary());
      }
      section(lines, "Who acts: " + why.whoActs().actor().words(), List.of(why.whoActs().action()));
      if (result.outcome() == DryRunOutcome.WAITS && why.reason().endsWithTime()) {
        lines.add("");
        lines.add(
            "When: once it is created, 'kueue4j when -n %s %s' estimates it"
                .formatted(
                    result.object().namespace(),
                    (result.kind().equals("Job") ? "job/" : "") + result.object().name()));
      }
    }
    section(lines, "Notes", result.warnings());
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  /** Left out if there are no entries. */
  private static void section(List<String> lines, String title, List<String> entries) {
    if (!entries.isEmpty()) {
      lines.add("");
      lines.add(title);
      entries.forEach(entry -> lines.add("  " + entry));
    }
  }

  /** A line for each pod set. */
  private static List<String> quota(List<TakenQuota> takes) {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (TakenQuota part : takes) {
      String whose =
          part.podSet()
              .map(name -> name + ", " + part.pods() + (part.pods() == 1 ? " pod: " : " pods: "))
              .orElse("");
      lines
          .computeIfAbsent(whose, any -> new ArrayList<>())
          .add(part.resource() + " " + part.amount() + " in " + part.flavor());
    }
    return lines.entrySet().stream()
        .map(line -> line.getKey() + String.join(", ", line.getValue()))
        .toList();
  }

  private static String text(EvictedWorkload evicted) {
    return "%s of ClusterQueue %s (LocalQueue %s, priority %d): %s%s"
        .formatted(
            evicted.workload(),
            evicted.clusterQueue(),
            evicted.localQueue(),
            evicted.priority(),
            evicted.reason(),
            evicted.already() ? ", is being evicted already" : "");
  }

  private String text(AskedCheck check) {
    return check.name() + " (" + check.controller() + "): " + words(answers.apply(check));
  }

  private static String words(CheckAnswers.ForeseenAnswer answer) {
    return switch (answer) {
      case CheckAnswers.ForeseenAnswer.None(String why) -> why;
      case CheckAnswers.ForeseenAnswer.Given(AdmissionCheckState entry) -> wouldAnswer(entry);
    };
  }

  /**
   * The entry that a check would write, as the end of a line. Its delay is the shortest of those
   * that it may get by chance, and is rounded up as the SDK rounds it in messages.
   */
  static String wouldAnswer(AdmissionCheckState entry) {
    Integer delay = entry.requeueAfterSeconds();
    return "would answer "
        + entry.state()
        + (delay == null ? "" : " in " + DurationText.words(rounded(delay)) + " at the earliest")
        + (entry.message().isEmpty() ? "" : ": " + entry.message());
  }

  Map<String, Object> tree(Instant now) {
    return Map.of("results", results.stream().map(result -> tree(result, now)).toList());
  }

  private Map<String, Object> tree(DryRunResult result, Instant now) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", result.kind());
    tree.put("namespace", result.object().namespace());
    tree.put("name", result.object().name());
    tree.put("outcome", result.outcome().code());
    tree.put("summary", result.summary());
    if (!result.parts().isEmpty()) {
      tree.put("parts", result.parts().stream().map(DryRunText::tree).toList());
    }
    if (result.queue() != null) {
      tree.put("clusterQueue", result.queue());
    }
    if (result.waiting() > 0) {
      tree.put("place", result.place());
      tree.put("waiting", result.waiting());
    }
    tree.put("takes", result.takes().stream().map(DryRunText::tree).toList());
    tree.put(
        "borrows",
        result.borrows().stream()
            .map(part -> amount(part.resource(), part.flavor(), part.amount().toString()))
            .toList());
    tree.put("evicts", result.preempts().stream().map(DryRunText::tree).toList());
    tree.put("checks", result.checks().stream().map(this::tree).toList());
    if (result.explanation() != null) {
      tree.put("explanation", ExplanationText.tree(result.explanation(), now));
    }
    tree.put("warnings", result.warnings());
    return tree;
  }

  private static Map<String, Object> tree(PartialOutcome part) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("outcome", part.outcome().code());
    tree.put("count", part.count());
    return tree;
  }

  private static Map<String, Object> tree(TakenQuota part) {
    Map<String, Object> tree = new LinkedHashMap<>();
    part.podSet()
        .ifPresent(
            name -> {
              tree.put("podSet", name);
              tree.put("pods", part.pods());
            });
    tree.putAll(amount(part.resource(), part.flavor(), part.amount().toString()));
    return tree;
  }

  private static Map<String, Object> amount(String resource, String flavor, String amount) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("resource", resource);
    tree.put("flavor", flavor);
    tree.put("amount", amount);
    return tree;
  }

  private static Map<String, Object> tree(EvictedWorkload evicted) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", evicted.workload().namespace());
    tree.put("name", evicted.workload().name());
    tree.put("clusterQueue", evicted.clusterQueue());
    tree.put("localQueue", evicted.localQueue());
    tree.put("priority", evicted.priority());
    tree.put("reason", evicted.reason());
    tree.put("already", evicted.already());
    return tree;
  }

  private Map<String, Object> tree(AskedCheck check) {
    CheckAnswers.ForeseenAnswer answer = answers.apply(check);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", check.name());
    tree.put("controller", check.controller());
    tree.put("answer", words(answer));
    if (answer instanceof CheckAnswers.ForeseenAnswer.Given(AdmissionCheckState entry)) {
      put(entry, tree);
    }
    return tree;
  }

  /** From 10 minutes on to whole minutes. */
  private static Duration rounded(int seconds) {
    return seconds < 600
        ? Duration.ofSeconds(seconds)
        : Duration.ofMinutes(Math.ceilDiv(seconds, 60));
  }

  /** The entry that a check would write, as members of an object. */
  static void put(AdmissionCheckState entry, Map<String, Object> tree) {
    tree.put("state", entry.state().value());
    tree.put("message", entry.message());
    if (entry.requeueAfterSeconds() != null) {
      tree.put("requeueAfterSeconds", entry.requeueAfterSeconds());
    }
  }
}
