// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/** Judges whether a cluster can move, from what was read; decides only. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Preflight {
  private Preflight() {}

  /** All findings, what stands in the way first. */
  public static List<Finding> examine(ClusterFacts facts, Direction direction) {
    List<Finding> findings = new ArrayList<>();
    facts
        .notRead()
        .forEach(
            what ->
                findings.add(
                    Finding.blocks(
                        "not read",
                        what,
                        "Run this as a user with the right to read it, or look by hand.")));
    findings.addAll(InstallationRules.findings(facts, direction));
    findings.addAll(ObjectRules.findings(facts, direction));
    findings.sort(Comparator.comparing(Finding::severity));
    return List.copyOf(findings);
  }

  /** Whether nothing stands in the way. */
  public static boolean passes(List<Finding> findings) {
    return findings.stream().noneMatch(each -> each.severity() == Finding.Severity.BLOCKS);
  }
}
