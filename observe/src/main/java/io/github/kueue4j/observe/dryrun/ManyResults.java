// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.dryrun.DryRunResult.BorrowedQuota;
import io.github.kueue4j.observe.dryrun.DryRunResult.PartialOutcome;
import io.github.kueue4j.observe.dryrun.DryRunResult.TakenQuota;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One result of an object that has several Workloads. */
final class ManyResults {
  private ManyResults() {}

  /**
   * The result of an object.
   *
   * @param word for what each Workload is of, in the singular
   * @param each by Workload; at least one
   */
  static DryRunResult joined(String kind, ObjectKey object, String word, List<DryRunResult> each) {
    DryRunResult first = each.getFirst();
    if (each.size() == 1) {
      return first.of(kind, object);
    }
    Map<DryRunOutcome, List<DryRunResult>> outcomes =
        each.stream()
            .collect(
                Collectors.groupingBy(
                    DryRunResult::outcome,
                    () -> new EnumMap<>(DryRunOutcome.class),
                    Collectors.toList()));
    DryRunResult waits =
        each.stream().filter(result -> result.waiting() > 0).findFirst().orElse(first);
    return new DryRunResult(
        kind,
        object,
        each.stream().map(DryRunResult::outcome).max(Comparator.naturalOrder()).orElseThrow(),
        outcomes.values().stream()
            .map(
                alike ->
                    "%d of %d %ss: %s".formatted(alike.size(), each.size(), word, summary(alike)))
            .collect(Collectors.joining(" ")),
        each.stream().map(DryRunResult::queue).filter(Objects::nonNull).findFirst().orElse(null),
        sum(each, DryRunResult::takes, ManyResults::same, ManyResults::sum),
        sum(each, DryRunResult::borrows, ManyResults::same, ManyResults::sum),
        each.stream().flatMap(result -> result.preempts().stream()).distinct().toList(),
        each.stream()
            .flatMap(result -> result.checks().stream())
            .collect(
                Collectors.toMap(
                    DryRunResult.AskedCheck::name,
                    Function.identity(),
                    (one, other) -> one,
                    LinkedHashMap::new))
            .values()
            .stream()
            .toList(),
        waits.place(),
        waits.waiting(),
        each.stream()
            .map(DryRunResult::explanation)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null),
        each.stream().flatMap(result -> result.warnings().stream()).distinct().toList(),
        outcomes.entrySet().stream()
            .map(alike -> new PartialOutcome(alike.getKey(), alike.getValue().size()))
            .toList());
  }

  /**
   * The summary: the result of the first holds for the others, but for their places and victims.
   */
  private static String summary(List<DryRunResult> alike) {
    DryRunResult first = alike.getFirst();
    boolean each =
        first.outcome() == DryRunOutcome.ADMITTED
            || first.outcome() == DryRunOutcome.QUOTA_RESERVED;
    String subject = alike.size() == 1 ? "it " : each ? "each " : "the first ";
    return first.summary().replaceFirst("^It ", subject);
  }

  private static <T> List<T> sum(
      List<DryRunResult> each,
      Function<DryRunResult, List<T>> parts,
      Function<T, Object> same,
      BinaryOperator<T> sum) {
    Map<Object, T> sums = new LinkedHashMap<>();
    each.stream()
        .map(parts)
        .flatMap(Collection::stream)
        .forEach(part -> sums.merge(same.apply(part), part, sum));
    return List.copyOf(sums.values());
  }

  private static Object same(TakenQuota part) {
    return List.of(part.podSet(), part.resource(), part.flavor());
  }

  private static Object same(BorrowedQuota part) {
    return List.of(part.resource(), part.flavor());
  }

  private static TakenQuota sum(TakenQuota one, TakenQuota other) {
    return new TakenQuota(
        one.podSet(),
        one.pods() + other.pods(),
        one.resource(),
        one.flavor(),
        one.amount().add(other.amount()));
  }

  private static BorrowedQuota sum(BorrowedQuota one, BorrowedQuota other) {
    return new BorrowedQuota(one.resource(), one.flavor(), one.amount().add(other.amount()));
  }
}
