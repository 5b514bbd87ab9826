// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import dev.cel.common.CelErrorCode;
import dev.cel.runtime.CelEvaluationException;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.policycheck.PolicyCheckSpec.Answer;
import io.github.kueue4j.policycheck.PolicyCheckSpec.Rule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of a PolicyCheck, compiled: a function of facts and a time. Equal by its spec. */
final class Policy {
  /** The position in the expression; the rule is named instead. */
  private static final Pattern WHERE = Pattern.compile("^evaluation error(?: at [^ ]*)?: ");

  /** How many openings and closings are looked at; beyond them a Workload is asked about again. */
  private static final int MOST_CHANGES = 100;

  private final PolicyCheckSpec spec;
  private final List<RuleLanguage.Compiled> compiled;

  private Policy(PolicyCheckSpec spec, List<RuleLanguage.Compiled> compiled) {
    this.spec = spec;
    this.compiled = List.copyOf(compiled);
  }

  /** What the rules say about one Workload at one time. */
  sealed interface Outcome {
    /** This rule holds, the first that does. */
    record Answered(Rule rule) implements Outcome {}

    /** No rule holds. */
    record NoneHolds() implements Outcome {}

    /** A rule can't be evaluated about this Workload, so that the ones after it don't count. */
    record Failed(String field, Rule rule, String why) implements Outcome {}
  }

  /**
   * @throws InvalidFieldException if a rule can't be evaluated, or sends back without an end
   */
  static Policy of(PolicyCheckSpec spec) {
    RuleLanguage language =
        new RuleLanguage(spec.windows().stream().map(PolicyWindow::name).toList());
    List<RuleLanguage.Compiled> compiled = new ArrayList<>();
    Set<String> windows = new HashSet<>();
    for (int i = 0; i < spec.rules().size(); i++) {
      Rule rule = spec.rules().get(i);
      RuleLanguage.Compiled one = language.compile(field(i, rule) + ".when", rule.when());
      windows.addAll(one.windows());
      if (rule.answer() == Answer.RETRY && rule.delay().isEmpty() && windows.isEmpty()) {
        throw new InvalidFieldException(
            field(i, rule) + ".delay",
            null,
            "neither this rule nor one before it names a window that would end the wait: write a"
                + " duration, such as 30m");
      }
      compiled.add(one);
    }
    return new Policy(spec, compiled);
  }

  private static String field(int position, Rule rule) {
    return "spec.rules[" + position + "] (" + rule.name() + ")";
  }

  PolicyCheckSpec spec() {
    return spec;
  }

  Outcome at(Instant now, Facts facts) {
    ZoneId zone = spec.zone();
    Map<String, Object> windows = new HashMap<>();
    spec.windows().forEach(window -> windows.put(window.name(), window.isOpen(now, zone)));
    Map<String, Object> variables = new HashMap<>(facts.variables());
    variables.put("windows", windows);
    for (int i = 0; i < compiled.size(); i++) {
      Rule rule = spec.rules().get(i);
      try {
        if (Boolean.TRUE.equals(compiled.get(i).program().eval(variables))) {
          return new Outcome.Answered(rule);
        }
      } catch (CelEvaluationException e) {
        return new Outcome.Failed(field(i, rule) + ".when", rule, why(e));
      }
    }
    return new Outcome.NoneHolds();
  }

  /** Of a key that isn't there, some messages have the name alone. */
  private static String why(CelEvaluationException failure) {
    String text = WHERE.matcher(String.valueOf(failure.getMessage())).replaceFirst("");
    return failure.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND && !text.contains(" ")
        ? "no such key: " + text
        : text.replaceFirst("[.]$", "");
  }

  /**
   * The first opening or closing of a window after which the rules no longer send the Workload
   * back; empty if none is known.
   */
  Optional<Instant> endOfWait(Instant now, Facts facts) {
    @Nullable Instant next = spec.nextChange(now).orElse(null);
    for (int changes = 0; next != null && changes < MOST_CHANGES; changes++) {
      if (!(at(next, facts) instanceof Outcome.Answered(Rule rule))
          || rule.answer() != Answer.RETRY) {
        return Optional.of(next);
      }
      next = spec.nextChange(next).orElse(null);
    }
    return Optional.empty();
  }

  /** Windows that no rule names. */
  List<String> unusedWindows() {
    return spec.windows().stream()
        .map(PolicyWindow::name)
        .filter(name -> compiled.stream().noneMatch(rule -> rule.windows().contains(name)))
        .toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Policy that && spec.equals(that.spec);
  }

  @Override
  public int hashCode() {
    return spec.hashCode();
  }
}
