// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.GsonBuilder;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.DurationText;
import io.github.kueue4j.observe.explain.Evidence;
import io.github.kueue4j.observe.explain.Explanation;
import io.github.kueue4j.observe.explain.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** An explanation as text for a person, or as JSON or YAML for a program. */
final class ExplanationText {
  private ExplanationText() {}

  static String text(Explanation explanation, Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add(explanation.subject() + ": " + explanation.reason().code());
    lines.add("");
    lines.add("  " + explanation.summary());
    lines.add("");
    lines.add("Evidence");
    for (Evidence evidence : explanation.evidence()) {
      lines.add("  " + evidence.object() + " " + evidence.field());
      lines.add("      " + evidence.value());
    }
    lines.add("");
    Actor actor = explanation.whoActs().actor();
    lines.add("Who acts: " + actor.words());
    lines.add("  " + explanation.whoActs().action());
    lines.add("");
    lines.add("Next wake: " + wake(explanation, now));
    if (explanation.reason().endsWithTime()) {
      lines.add(
          "When: 'kueue4j when -n %s workload/%s' estimates it"
              .formatted(explanation.subject().namespace(), explanation.subject().name()));
    }
    return lines.stream().map(ExplanationText::printable).collect(Collectors.joining());
  }

  /** A check's message is not ours: control characters could change the terminal. */
  static String printable(String line) {
    return line.replaceAll("\\p{Cc}+", " ") + System.lineSeparator();
  }

  static String json(Map<String, Object> tree) {
    return new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .create()
            .toJson(tree)
        + System.lineSeparator();
  }

  static String yaml(Map<String, Object> tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(1000);
    return new Yaml(options).dump(tree);
  }

  static Map<String, Object> tree(Explanation explanation, Instant now) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", explanation.subject().namespace());
    tree.put("name", explanation.subject().name());
    tree.put("reason", explanation.reason().code());
    tree.put("summary", explanation.summary());
    List<Map<String, Object>> evidence = new ArrayList<>();
    for (Evidence fact : explanation.evidence()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("object", fact.object());
      entry.put("field", fact.field());
      entry.put("value", fact.value());
      evidence.add(entry);
    }
    tree.put("evidence", evidence);
    Map<String, Object> whoActs = new LinkedHashMap<>();
    whoActs.put("party", explanation.whoActs().actor().words());
    whoActs.put("action", explanation.whoActs().action());
    tree.put("whoActs", whoActs);
    Instant wake = explanation.nextWake();
    if (wake != null) {
      tree.put("nextWake", wake.toString());
      tree.put("nextWakeInSeconds", Duration.between(now, wake).toSeconds());
    }
    return tree;
  }

  private static String wake(Explanation explanation, Instant now) {
    Instant wake = explanation.nextWake();
    if (wake == null) {
      boolean asked =
          explanation.reason() == Reason.CHECK_PENDING
              || explanation.reason() == Reason.CHECK_UNANSWERED;
      return explanation.reason().isNoObstacle()
          ? "none needed"
          : asked ? "when the check's controller answers" : "not by itself; when something changes";
    }
    Duration until = Duration.between(now, wake);
    String span = DurationText.words(until);
    return wake + (until.isPositive() ? " (in " + span + ")" : " (" + span + " ago)");
  }
}
