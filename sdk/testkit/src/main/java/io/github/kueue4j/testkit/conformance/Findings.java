// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The findings of a run so far. The first breach of a rule is the one that is reported. */
final class Findings {
  private static final int LONGEST_EVIDENCE = 400;

  private final Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);

  /** The rule was kept, unless it is broken elsewhere. */
  void pass(Rule rule, String evidence) {
    Outcome known = outcomes.get(rule);
    if (known == null || known.verdict() == Outcome.Verdict.SKIPPED) {
      put(rule, Outcome.Verdict.PASS, evidence);
    }
  }

  /** Adds to the evidence of a rule that was kept so far. */
  void passToo(Rule rule, String evidence) {
    Outcome known = outcomes.get(rule);
    if (known != null && known.verdict() == Outcome.Verdict.PASS) {
      put(rule, Outcome.Verdict.PASS, known.evidence() + "; " + evidence);
    } else {
      pass(rule, evidence);
    }
  }

  void fail(Rule rule, String evidence) {
    Outcome known = outcomes.get(rule);
    if (known == null || known.verdict() != Outcome.Verdict.FAIL) {
      put(rule, Outcome.Verdict.FAIL, evidence);
    }
  }

  /** The rule can't be tried, unless it was elsewhere. */
  void skip(Rule rule, String reason) {
    if (!outcomes.containsKey(rule)) {
      put(rule, Outcome.Verdict.SKIPPED, reason);
    }
  }

  /** {@link #fail} if there is evidence of a breach, else {@link #pass}. */
  void judge(Rule rule, String breach, String otherwise) {
    if (breach.isEmpty()) {
      pass(rule, otherwise);
    } else {
      fail(rule, breach);
    }
  }

  private void put(Rule rule, Outcome.Verdict verdict, String evidence) {
    String shortened =
        evidence.length() > LONGEST_EVIDENCE
            ? evidence.substring(0, LONGEST_EVIDENCE) + " ..."
            : evidence;
    outcomes.put(rule, new Outcome(rule, verdict, shortened));
  }

  /** One outcome per rule; those that were never reached weren't tried. */
  List<Outcome> all() {
    return Stream.of(Rule.values())
        .map(
            rule ->
                outcomes.getOrDefault(
                    rule,
                    new Outcome(rule, Outcome.Verdict.SKIPPED, "the run didn't get that far")))
        .toList();
  }
}
