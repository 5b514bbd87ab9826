// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.Explanation;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The report on an object as if it were created now.
 *
 * @param kind of the object, such as {@code Job}
 * @param object its namespace and name
 * @param outcome what would become of it
 * @param summary the same in one or two sentences, with the scheduler's own message
 * @param queue the ClusterQueue whose quota it gets or waits for; null if there is none
 * @param takes the quota that it gets, at once or after a preemption
 * @param borrows the part of it that the ClusterQueue borrows from its Cohort
 * @param preempts the Workloads that are evicted for it
 * @param checks the admission checks that it waits for once quota is reserved
 * @param place in the order of its ClusterQueue, from 1; 0 unless it waits
 * @param waiting how many wait there, this one included; 0 unless it waits
 * @param explanation why it isn't admitted, as {@code explain} would say of it; null if it is, or
 *     doesn't come so far
 * @param warnings what the webhooks would warn of, and what isn't known
 * @param parts of an object that has several Workloads, what becomes of how many; else empty. Then
 *     {@code outcome} is the worst of them, quota is that of all, {@code place} that of the first
 *     that waits, and {@code checks} see the first
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DryRunResult(
    String kind,
    ObjectKey object,
    DryRunOutcome outcome,
    String summary,
    @Nullable String queue,
    List<TakenQuota> takes,
    List<BorrowedQuota> borrows,
    List<EvictedWorkload> preempts,
    List<AskedCheck> checks,
    int place,
    int waiting,
    @Nullable Explanation explanation,
    List<String> warnings,
    List<PartialOutcome> parts) {
  public DryRunResult {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(summary, "summary");
    takes = List.copyOf(takes);
    borrows = List.copyOf(borrows);
    preempts = List.copyOf(preempts);
    checks = List.copyOf(checks);
    warnings = List.copyOf(warnings);
    parts = List.copyOf(parts);
  }

  /**
   * Quota of one resource.
   *
   * @param podSet that it is for; empty if flavors are settled only after a preemption
   * @param pods how many pods of the pod set; 0 if it names none
   */
  public record TakenQuota(
      Optional<String> podSet, int pods, String resource, String flavor, Quantity amount) {}

  /** Quota of one resource that is borrowed. */
  public record BorrowedQuota(String resource, String flavor, Quantity amount) {}

  /**
   * A Workload that is evicted.
   *
   * @param clusterQueue whose quota it holds
   * @param localQueue that it came through
   * @param reason of its condition Preempted
   * @param already whether it is being evicted, so that only its end is awaited
   */
  public record EvictedWorkload(
      ObjectKey workload,
      String clusterQueue,
      String localQueue,
      int priority,
      String reason,
      boolean already) {}

  /**
   * An admission check, whose answer isn't part of the dry run.
   *
   * @param controller that would be asked
   * @param object the AdmissionCheck; null if it can't be read
   * @param workload as the check would see it, with the quota that it gets at once; null if that is
   *     settled only after a preemption
   */
  public record AskedCheck(
      String name,
      String controller,
      @Nullable AdmissionCheck object,
      @Nullable Workload workload) {}

  /**
   * The fate of some of an object's pods, or groups of pods, which have a Workload each.
   *
   * @param count how many of them, at least 1
   */
  public record PartialOutcome(DryRunOutcome outcome, int count) {}

  /** An outcome without any quota. */
  static DryRunResult of(String kind, ObjectKey object, DryRunOutcome outcome, String summary) {
    return new DryRunResult(
        kind, object, outcome, summary, null, List.of(), List.of(), List.of(), List.of(), 0, 0,
        null, List.of(), List.of());
  }

  /**
   * The result of an object that has several Workloads.
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
        sum(each, DryRunResult::takes, DryRunResult::same, DryRunResult::sum),
        sum(each, DryRunResult::borrows, DryRunResult::same, DryRunResult::sum),
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

  DryRunResult explainedBy(Explanation why) {
    return with(kind, object, why, warnings);
  }

  /** The same with further warnings, which come first. */
  DryRunResult warning(List<String> more) {
    return with(
        kind, object, explanation, Stream.concat(more.stream(), warnings.stream()).toList());
  }

  /** The same of another object, whose pods this one stands for. */
  DryRunResult of(String otherKind, ObjectKey other) {
    return with(otherKind, other, explanation, warnings);
  }

  private DryRunResult with(
      String kind, ObjectKey object, @Nullable Explanation explanation, List<String> warnings) {
    return new DryRunResult(
        kind,
        object,
        outcome,
        summary,
        queue,
        takes,
        borrows,
        preempts,
        checks,
        place,
        waiting,
        explanation,
        warnings,
        parts);
  }
}
