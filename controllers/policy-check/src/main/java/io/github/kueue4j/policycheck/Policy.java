// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import dev.cel.runtime.CelEvaluationException;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.policycheck.PolicyCheckSpec.Answer;
import io.github.kueue4j.policycheck.PolicyCheckSpec.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of a PolicyCheck, compiled: a function of facts and a time. Equal by its spec. */
final class Policy {
  private static final Pattern WHERE =
      Pattern.compile("^evaluation error at [^ ]*:([0-9]+): .*", Pattern.DOTALL);

  /** How many openings and closings are looked at; beyond them a Workload is asked about again. */
  private static final int MOST_CHANGES = 100;

  private final PolicyCheckSpec spec;
  private final RuleLanguage language;
  private final List<RuleLanguage.Compiled> compiled;

  private Policy(
      PolicyCheckSpec spec, RuleLanguage language, List<RuleLanguage.Compiled> compiled) {
    this.spec = spec;
    this.language = language;
    this.compiled = List.copyOf(compiled);
  }

  /** The answer of the rules about one Workload at one time. */
  sealed interface Outcome {
    /** This rule holds, the first that does. */
    record Answered(Rule rule) implements Outcome {}

    /** No rule holds. */
    record NoneHolds() implements Outcome {}

    /** A rule can't be evaluated about this Workload, so that the ones after it don't count. */
    record Failed(String field, String why) implements Outcome {}
  }

  /**
   * @throws InvalidFieldException if a rule can't be evaluated, or sends back without an end
   */
  static Policy of(PolicyCheckSpec spec) {
    List<InvalidFieldException> problems = new ArrayList<>();
    Policy policy = compiled(spec, problems);
    if (!problems.isEmpty()) {
      throw problems.getFirst();
    }
    return policy;
  }

  /** The problems of rules that can't be evaluated, or send back without an end. */
  static List<InvalidFieldException> problems(PolicyCheckSpec spec) {
    List<InvalidFieldException> problems = new ArrayList<>();
    compiled(spec, problems);
    return problems;
  }

  /** To be used only if there are no problems. */
  private static Policy compiled(PolicyCheckSpec spec, List<InvalidFieldException> problems) {
    RuleLanguage language =
        new RuleLanguage(spec.windows().stream().map(PolicyWindow::name).toList());
    List<RuleLanguage.Compiled> compiled = new ArrayList<>();
    Set<String> windows = new HashSet<>();
    for (int i = 0; i < spec.rules().size(); i++) {
      Rule rule = spec.rules().get(i);
      try {
        RuleLanguage.Compiled one = language.compile(field(i, rule) + ".when", rule.when());
        windows.addAll(one.windows());
        compiled.add(one);
      } catch (InvalidFieldException e) {
        problems.add(e);
      }
      if (problems.isEmpty()
          && rule.answer() == Answer.RETRY
          && rule.delay().isEmpty()
          && windows.isEmpty()) {
        problems.add(
            new InvalidFieldException(
                field(i, rule) + ".delay",
                null,
                "neither this rule nor one before it names a window that would end the wait: write"
                    + " a duration, such as 30m"));
      }
    }
    return new Policy(spec, language, compiled);
  }

  private static String field(int position, Rule rule) {
    return "spec.rules[" + position + "] (" + rule.name() + ")";
  }

  PolicyCheckSpec spec() {
    return spec;
  }

  /**
   * @throws InterruptedException if the evaluation has taken too long; a rule that is being
   *     evaluated isn't interrupted
   */
  Outcome at(Instant now, Facts facts) throws InterruptedException {
    Map<String, Object> variables = variables(now, facts);
    for (int i = 0; i < compiled.size(); i++) {
      Outcome outcome = ofRule(i, variables);
      if (!(outcome instanceof Outcome.NoneHolds)) {
        return outcome;
      }
    }
    return new Outcome.NoneHolds();
  }

  /** The variables that rules know of a Workload and a time. */
  Map<String, Object> variables(Instant now, Facts facts) {
    Map<String, Object> variables = new HashMap<>(facts.variables());
    variables.put("windows", openWindows(now));
    return variables;
  }

  /** The windows, and whether each is open. */
  Map<String, Boolean> openWindows(Instant now) {
    Map<String, Boolean> windows = new LinkedHashMap<>();
    spec.windows().forEach(window -> windows.put(window.name(), window.isOpen(now, spec.zone())));
    return windows;
  }

  /**
   * The answer of one rule by itself.
   *
   * @throws InterruptedException if the thread was interrupted before
   */
  Outcome ofRule(int position, Map<String, Object> variables) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("before rule " + position);
    }
    Rule rule = spec.rules().get(position);
    try {
      return Boolean.TRUE.equals(compiled.get(position).program().eval(variables))
          ? new Outcome.Answered(rule)
          : new Outcome.NoneHolds();
    } catch (CelEvaluationException e) {
      return new Outcome.Failed(field(position, rule) + ".when", why(e));
    }
  }

  /**
   * The parts of a rule that doesn't hold which are false: parts of it that stand beside {@code
   * &&}.
   */
  List<String> falseParts(int position, Map<String, Object> variables) {
    return language.conjuncts(spec.rules().get(position).when()).stream()
        .filter(part -> isFalse(part, variables))
        .map(RuleLanguage.Conjunct::text)
        .toList();
  }

  /** One that can't be evaluated isn't why: another is false whatever it is. */
  private static boolean isFalse(RuleLanguage.Conjunct part, Map<String, Object> variables) {
    try {
      return Boolean.FALSE.equals(part.program().eval(variables));
    } catch (CelEvaluationException e) {
      return false;
    }
  }

  /** In our own words: those of CEL repeat what the Workload says. */
  private static String why(CelEvaluationException failure) {
    String cause =
        switch (failure.getErrorCode()) {
          case ATTRIBUTE_NOT_FOUND -> "a key or field isn't there";
          case INDEX_OUT_OF_BOUNDS -> "a list is shorter than the index";
          case ITERATION_BUDGET_EXCEEDED ->
              "it looks at more than %,d elements".formatted(RuleLanguage.MOST_ITERATIONS);
          case DIVIDE_BY_ZERO -> "it divides by zero";
          case NUMERIC_OVERFLOW -> "a number is too large";
          case OVERLOAD_NOT_FOUND -> "a value is of another type";
          default -> "a function can't take a value";
        };
    Matcher where = WHERE.matcher(String.valueOf(failure.getMessage()));
    return where.matches() ? cause + " (at its character " + where.group(1) + ")" : cause;
  }

  /**
   * When the rules no longer send a Workload back.
   *
   * @param opens whether they let it through then, as far as the time decides
   */
  record EndOfWait(Instant at, boolean opens) {}

  /**
   * The first opening or closing of a window after which the rules no longer send the Workload
   * back; empty if none is known.
   */
  Optional<EndOfWait> endOfWait(Instant now, Facts facts) throws InterruptedException {
    @Nullable Instant next = spec.nextChange(now).orElse(null);
    for (int changes = 0; next != null && changes < MOST_CHANGES; changes++) {
      switch (at(next, facts)) {
        case Outcome.NoneHolds none -> {
          return Optional.of(new EndOfWait(next, true));
        }
        case Outcome.Failed failed -> {
          return Optional.of(new EndOfWait(next, false));
        }
        case Outcome.Answered(Rule rule) -> {
          if (rule.answer() != Answer.RETRY) {
            return Optional.of(new EndOfWait(next, rule.answer() == Answer.READY));
          }
        }
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
