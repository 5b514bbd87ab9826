// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import io.github.kueue4j.api.InvalidFieldException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The spec of a {@code PolicyCheck}.
 *
 * @param timeZone whose clocks count for weekly windows and in messages; absent: UTC
 * @param windows times that rules name
 * @param rules the first that holds answers; where none does, the Workload is let through
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PolicyCheckSpec(
    Optional<String> timeZone, List<PolicyWindow> windows, List<Rule> rules) {
  /** As the API server writes it where none is given. */
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** As long as kueue-core honours unless configured otherwise. */
  static final Duration LONGEST = Duration.ofHours(24);

  /** The answer of a rule to a Workload for which it holds. */
  public enum Answer {
    /** It may start. */
    READY,
    /** Not now: it gives its quota back. */
    RETRY,
    /** Never: it is deactivated. */
    REJECTED;

    /** As in YAML. */
    String word() {
      return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One rule.
   *
   * @param name unique in the policy; stands in messages
   * @param when a CEL expression that is true or false
   * @param delay of a Retry: how long it waits at most; absent: until the time changes the answer
   * @param message for the owner of the Workload; absent: that the rule holds
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Rule(
      String name, String when, Answer answer, Optional<Duration> delay, Optional<String> message) {
    /**
     * @throws InvalidFieldException if the delay makes no sense
     */
    public Rule {
      message = message.map(String::strip).filter(text -> !text.isEmpty());
      if (delay.isPresent() && answer != Answer.RETRY) {
        throw new InvalidFieldException(
            "delay", delay.get().toString(), "write it for the answer Retry only");
      }
      if (delay.isPresent()
          && (delay.get().compareTo(SHORTEST) < 0 || delay.get().compareTo(LONGEST) > 0)) {
        throw new InvalidFieldException(
            "delay", delay.get().toString(), "write a duration from 1s to 24h, such as 30m");
      }
    }
  }

  /**
   * @throws InvalidFieldException if a field makes no sense; the message says what to write
   */
  public PolicyCheckSpec {
    windows = List.copyOf(windows);
    rules = List.copyOf(rules);
    if (rules.isEmpty()) {
      throw new InvalidFieldException("rules", null, "write one at least");
    }
    ZoneId zone = timeZone.map(PolicyCheckSpec::zone).orElse(UTC);
    refuseTwins("windows", windows, PolicyWindow::name);
    refuseTwins("rules", rules, Rule::name);
    windows.forEach(window -> window.refuseAlwaysOpen(zone));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new InvalidFieldException(
          "timeZone", name, "write the name of a time zone, such as Europe/Berlin or UTC");
    }
  }

  private static <T> void refuseTwins(String field, List<T> all, Function<T, String> name) {
    Set<String> seen = new HashSet<>();
    for (T one : all) {
      if (!seen.add(name.apply(one))) {
        throw new InvalidFieldException(
            field + ".name", name.apply(one), "write each name only once");
      }
    }
  }

  ZoneId zone() {
    return timeZone.map(PolicyCheckSpec::zone).orElse(UTC);
  }

  /** The first moment after this one at which a window opens or closes; empty: none will. */
  Optional<Instant> nextChange(Instant now) {
    ZoneId zone = zone();
    return windows.stream()
        .flatMap(window -> window.nextChange(now, zone).stream())
        .min(Instant::compareTo);
  }
}
