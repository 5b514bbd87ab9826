// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import com.google.gson.GsonBuilder;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The answer of {@code migrate check}, as text or JSON. It counts the objects, so that two answers,
 * from before and after a move, show whether anything is missing.
 *
 * @param facts what was read
 * @param direction where the cluster moves to
 * @param findings what was found
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record PreflightReport(ClusterFacts facts, Direction direction, List<Finding> findings) {

  public PreflightReport {
    findings = List.copyOf(findings);
  }

  /** For a person; ends with a line break. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        facts.server() + ", Kubernetes " + facts.version() + ", core in " + facts.namespace());
    lines.add("");
    for (Finding.Severity severity : Finding.Severity.values()) {
      List<Finding> some = findings.stream().filter(each -> each.severity() == severity).toList();
      if (!some.isEmpty()) {
        lines.add(severity.heading() + " (" + some.size() + ")");
        for (Finding finding : some) {
          lines.add("  " + finding.subject());
          lines.add("      " + finding.problem());
          lines.add("      " + finding.remedy());
        }
        lines.add("");
      }
    }
    lines.add("Objects");
    counts().forEach((kind, count) -> lines.add("  " + kind + ": " + count));
    phases().forEach((phase, count) -> lines.add("  Workloads, " + phase + ": " + count));
    lines.add("");
    lines.add(
        Preflight.passes(findings)
            ? "Nothing stands in the way."
            : "The move would lose or stop something; see what stands in the way.");
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  /** For a program; ends with a line break. */
  public String json() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("server", facts.server());
    tree.put("version", facts.version());
    tree.put("direction", direction.name().toLowerCase(Locale.ROOT));
    tree.put("passes", Preflight.passes(findings));
    tree.put(
        "findings",
        findings.stream()
            .map(
                each ->
                    Map.of(
                        "severity",
                        each.severity().name().toLowerCase(Locale.ROOT),
                        "subject",
                        each.subject(),
                        "problem",
                        each.problem(),
                        "remedy",
                        each.remedy()))
            .toList());
    tree.put("objects", counts());
    tree.put("workloads", phases());
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(tree)
        + System.lineSeparator();
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (ResourceType<? extends ApiObject> type : KueueTypes.ALL) {
      counts.put(type.kind(), facts.objects(type).size());
    }
    return counts;
  }

  /** How many Workloads stand where; every entry of an unreserved one counts as required. */
  private Map<String, Long> phases() {
    return facts.workloads().stream()
        .collect(
            Collectors.groupingBy(PreflightReport::phase, TreeMap::new, Collectors.counting()));
  }

  private static String phase(Workload workload) {
    Set<String> named =
        workload.status().admissionChecks().stream()
            .map(entry -> entry.name())
            .collect(Collectors.toSet());
    return Phase.of(workload, named).name().toLowerCase(Locale.ROOT);
  }
}
