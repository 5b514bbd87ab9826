// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The results of a run of the kit.
 *
 * @param controllerName the controller
 * @param server the API server that it worked on
 * @param outcomes one per rule, in the rules' order
 * @see Conformance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConformanceReport(String controllerName, String server, List<Outcome> outcomes) {
  public ConformanceReport {
    outcomes = List.copyOf(outcomes);
  }

  /** The rules that were broken. */
  public List<Rule> broken() {
    return rules(Outcome.Verdict.FAIL);
  }

  /** The rules that could not be tried. */
  public List<Rule> skipped() {
    return rules(Outcome.Verdict.SKIPPED);
  }

  private List<Rule> rules(Outcome.Verdict verdict) {
    return outcomes.stream().filter(each -> each.verdict() == verdict).map(Outcome::rule).toList();
  }

  /** The result for this rule. */
  public Outcome of(Rule rule) {
    return outcomes.stream().filter(each -> each.rule() == rule).findFirst().orElseThrow();
  }

  /** A table for people, of lines that end with a line feed. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    for (Outcome outcome : outcomes) {
      Rule rule = outcome.rule();
      text.append(
          String.format(
              Locale.ROOT,
              "%-7s %2d %-20s %s%n",
              outcome.verdict(),
              rule.number(),
              rule.label(),
              rule.demand()));
      if (outcome.verdict() != Outcome.Verdict.PASS) {
        text.append("           ").append(outcome.evidence()).append('\n');
      }
      if (outcome.verdict() == Outcome.Verdict.FAIL) {
        text.append("           remedy: ").append(rule.remedy()).append('\n');
        text.append("           see:    ").append(rule.passage()).append('\n');
        text.append("           source: ").append(rule.source()).append('\n');
      }
    }
    List<Rule> skipped = skipped();
    text.append('\n').append(controllerName).append(": ");
    text.append(outcomes.size() - broken().size() - skipped.size()).append(" rules kept, ");
    text.append(broken().size()).append(" broken, ").append(skipped.size()).append(" not tried");
    text.append(
        skipped.stream()
            .map(Rule::label)
            .collect(Collectors.joining(", ", skipped.isEmpty() ? "" : ": ", "\n")));
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  /** The same for programs, as indented JSON. */
  public String toJson() {
    ObjectMapper json = new ObjectMapper();
    ObjectNode report = json.createObjectNode();
    report.put("controllerName", controllerName).put("server", server);
    report.put("conformant", broken().isEmpty());
    for (Outcome outcome : outcomes) {
      Rule rule = outcome.rule();
      report
          .withArray("rules")
          .addObject()
          .put("number", rule.number())
          .put("name", rule.label())
          .put("result", outcome.verdict().name())
          .put("evidence", outcome.evidence())
          .put("demand", rule.demand())
          .put("source", rule.source())
          .put("remedy", rule.remedy())
          .put("passage", rule.passage());
    }
    return report.toPrettyString() + "\n";
  }

  /**
   * The same as the XML that JUnit's runners write, which build servers show: one test case per
   * rule.
   */
  public String toJunit() {
    return JunitXml.of(this);
  }
}
