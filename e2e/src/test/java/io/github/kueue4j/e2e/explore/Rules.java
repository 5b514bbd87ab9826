// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.lifecycle.RetryLimits;
import io.github.kueue4j.core.lifecycle.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is fixed in an exploration, and how much trouble there may be.
 *
 * @param name for people
 * @param settings of the core
 * @param checks of the queue, at most 3; see {@link CheckKind}
 * @param delays that a Retry may ask for, in seconds; {@link #NO_DELAY} for none
 * @param skews by which a naive check's clock may be off when it says Retry, in seconds
 * @param coreMillis how far into the second the core's clock is
 * @param flavors whether the scheduler may also choose a flavor that requires only the first check
 * @param budgets how much of each trouble there may be
 */
record Rules(
    String name,
    LifecycleSettings settings,
    List<CheckPolicy> checks,
    List<Integer> delays,
    List<Integer> skews,
    int coreMillis,
    boolean flavors,
    long budgets) {

  static final int NO_DELAY = -1;

  /** How old a check's date may be to be believed. */
  static final int TRUSTED_LAG = 2;

  /** How long a Ready before quota counts. */
  static final Duration READY_FOR = Duration.ofSeconds(2);

  /** Backoff of the first pods-ready timeout. */
  static final int PODS_BACKOFF = 3;

  Rules {
    checks = List.copyOf(checks);
    delays = List.copyOf(delays);
    skews = List.copyOf(skews);
  }

  /**
   * Checks of these names, no delay or two seconds, all clocks right, no trouble. There is no
   * shortest delay: it takes orders away.
   */
  static Rules of(String name, String... checks) {
    return new Rules(
        name,
        LifecycleSettings.defaults()
            .withRetryDelays(Duration.ZERO, LifecycleSettings.DEFAULT_MAXIMUM_RETRY_DELAY),
        Arrays.stream(checks).map(CheckPolicy::of).toList(),
        List.of(NO_DELAY, 2),
        List.of(0),
        0,
        false,
        0);
  }

  Rules with(Trouble trouble, int amount) {
    return new Rules(
        name, settings, checks, delays, skews, coreMillis, flavors, trouble.with(budgets, amount));
  }

  /** Whether a check may only observe, or be asked before quota, from time to time. */
  boolean changesChecks() {
    return Trouble.MODE.left(budgets) > 0 || Trouble.BEFORE_QUOTA.left(budgets) > 0;
  }

  /** How often each check may say something else than Ready, in their order. */
  Rules verdicts(int... amounts) {
    Rules rules = this;
    for (int i = 0; i < amounts.length; i++) {
      rules = rules.with(Trouble.ofCheck(i), amounts[i]);
    }
    return rules;
  }

  Rules delays(Integer... seconds) {
    return new Rules(name, settings, checks, List.of(seconds), skews, coreMillis, flavors, budgets);
  }

  Rules skews(Integer... seconds) {
    return new Rules(
        name, settings, checks, delays, List.of(seconds), coreMillis, flavors, budgets);
  }

  Rules coreMillis(int millis) {
    return new Rules(name, settings, checks, delays, skews, millis, flavors, budgets);
  }

  Rules flavored() {
    return new Rules(name, settings, checks, delays, skews, coreMillis, true, budgets);
  }

  Rules settings(LifecycleSettings changed) {
    return new Rules(name, changed, checks, delays, skews, coreMillis, flavors, budgets);
  }

  Rules policies(RetryPolicy retry) {
    List<CheckPolicy> changed = checks.stream().map(check -> check.withRetry(retry)).toList();
    return new Rules(name, settings, changed, delays, skews, coreMillis, flavors, budgets);
  }

  Rules maxRetries(int most) {
    RetryLimits limits = new RetryLimits(null, most);
    List<CheckPolicy> changed = checks.stream().map(check -> check.withLimits(limits)).toList();
    return new Rules(name, settings, changed, delays, skews, coreMillis, flavors, budgets);
  }

  Rules pendingTimeout(int seconds) {
    Duration timeout = Duration.ofSeconds(seconds);
    List<CheckPolicy> changed =
        checks.stream().map(check -> check.withPendingTimeout(timeout)).toList();
    return new Rules(name, settings, changed, delays, skews, coreMillis, flavors, budgets);
  }

  /** With one check asked after another. */
  Rules asking(String check, String after) {
    List<CheckPolicy> changed =
        checks.stream()
            .map(one -> one.name().equals(check) ? one.withAfter(Set.of(after)) : one)
            .toList();
    return new Rules(name, settings, changed, delays, skews, coreMillis, flavors, budgets);
  }

  /** With these checks as alternatives. */
  Rules anyOf(String... alternatives) {
    Set<String> group = Set.of(alternatives);
    List<CheckPolicy> changed =
        checks.stream()
            .map(check -> group.contains(check.name()) ? check.withAnyOf("group") : check)
            .toList();
    return new Rules(name, settings, changed, delays, skews, coreMillis, flavors, budgets);
  }

  /** Whether a check has alternatives. */
  boolean isAlternative(String name) {
    return checks.stream().anyMatch(check -> check.name().equals(name) && check.anyOf() != null);
  }

  /** Whether it matters that pods are ready. */
  boolean pods() {
    return Trouble.PODS.left(budgets) > 0;
  }

  boolean pendingTimeouts() {
    return checks.stream().anyMatch(check -> check.pendingTimeout() != null);
  }

  boolean skewed() {
    return skews.stream().anyMatch(skew -> skew != 0);
  }

  /** Whether this check is the one whose mode may change. */
  boolean isLast(int check) {
    return check == checks.size() - 1;
  }

  /** The checks that are asked before quota: those whose name says so. */
  Map<String, Duration> beforeQuota(Around around) {
    return around.withQuota() || around.queue() == Around.Queue.GONE
        ? Map.of()
        : checks.subList(0, checks.size() - (around.reduced() ? 1 : 0)).stream()
            .map(CheckPolicy::name)
            .filter(Rules::isBeforeQuota)
            .filter(name -> !around.observing() || !name.equals(checks.getLast().name()))
            .collect(Collectors.toUnmodifiableMap(Function.identity(), name -> READY_FOR));
  }

  boolean asksBeforeQuota() {
    return checks.stream().map(CheckPolicy::name).anyMatch(Rules::isBeforeQuota);
  }

  static boolean isBeforeQuota(String check) {
    return check.endsWith("before");
  }

  /** The checks that a check comes after. */
  Set<String> after(String name) {
    return checks.stream()
        .filter(check -> check.name().equals(name))
        .findFirst()
        .map(CheckPolicy::after)
        .orElse(Set.of());
  }

  CheckKind kind(int check) {
    return CheckKind.of(checks.get(check).name());
  }

  /**
   * Two instants further apart than this are as good as this far apart: no rule adds as much to one
   * of them before it compares it with the other.
   */
  int gap() {
    int longest = Math.max(longestDelay(), TRUSTED_LAG);
    if (asksBeforeQuota()) {
      longest = Math.max(longest, (int) READY_FOR.toSeconds());
    }
    for (int skew : skews) {
      longest = Math.max(longest, Math.abs(skew));
    }
    for (CheckPolicy check : checks) {
      Duration timeout = check.pendingTimeout();
      if (timeout != null) {
        longest = Math.max(longest, (int) timeout.toSeconds());
      }
    }
    return longest + 1;
  }

  /** The longest that anything is delayed, in seconds. */
  int longestDelay() {
    int longest = pods() ? PODS_BACKOFF : 0;
    for (int delay : delays) {
      longest = Math.max(longest, delay);
    }
    longest = Math.max(longest, (int) settings.minimumRetryDelay().toSeconds());
    for (CheckPolicy check : checks) {
      RetryPolicy retry = check.retry();
      if (retry != null) {
        Duration bound = retry.maxDelay() == null ? retry.baseDelay() : retry.maxDelay();
        longest = Math.max(longest, (int) bound.toSeconds());
      }
    }
    return longest;
  }

  /**
   * Whether Retries of different delays may end in the same second. Then the second one changes
   * nothing, so nothing is recorded, and requeueAt is that of the first.
   */
  boolean mixedDelays() {
    int shortest = (int) settings.minimumRetryDelay().toSeconds();
    return delays.stream()
            .map(delay -> Math.max(delay, shortest))
            .filter(delay -> delay > 0)
            .distinct()
            .count()
        > 1;
  }

  boolean wakes() {
    return checks.stream().anyMatch(check -> CheckKind.of(check.name()) == CheckKind.WAKE);
  }

  /** A check never dates anything earlier than this, in seconds from now. */
  int earliestDate() {
    int earliest = 0;
    for (int skew : skews) {
      earliest = Math.min(earliest, skew);
    }
    return earliest;
  }

  /** The policy of a check; null without one. */
  @Nullable RetryPolicy retry(String name) {
    for (CheckPolicy check : checks) {
      if (check.name().equals(name)) {
        return check.retry();
      }
    }
    return null;
  }
}
