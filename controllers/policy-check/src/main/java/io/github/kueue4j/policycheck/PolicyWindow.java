// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.sdk.TimeWindow;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A time that rules name: once, {@code from} a moment {@code to} another, or {@code weekly}.
 *
 * @param name an identifier of CEL, unique in the policy
 * @param from when it opens
 * @param to when it closes
 * @param weekly instead of both: hours that come back
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PolicyWindow(
    String name, Optional<Instant> from, Optional<Instant> to, Optional<Weekly> weekly) {

  /**
   * Hours of some days of the week.
   *
   * @param days on which it opens; empty: all
   * @param to of the next day if that isn't after {@code from}
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Weekly(Set<DayOfWeek> days, LocalTime from, LocalTime to) {
    /** Keeps a copy of the days. */
    public Weekly {
      days = Set.copyOf(days);
    }

    TimeWindow in(ZoneId zone) {
      TimeWindow daily = TimeWindow.daily(from, to, zone);
      return days.isEmpty() ? daily : daily.on(days);
    }
  }

  /**
   * @throws InvalidFieldException if it is neither once nor weekly, or closes before it opens
   */
  public PolicyWindow {
    if (weekly.isPresent() ? from.isPresent() || to.isPresent() : from.isEmpty() || to.isEmpty()) {
      throw new InvalidFieldException(
          "windows", name, "write either from and to, or weekly, of this window");
    }
    if (from.isPresent() && to.isPresent() && !to.get().isAfter(from.get())) {
      throw new InvalidFieldException(
          "to", to.get().toString(), "write a time after from of the window " + name);
    }
  }

  void refuseAlwaysOpen(ZoneId zone) {
    try {
      weekly.ifPresent(hours -> hours.in(zone).nextClosing(Instant.EPOCH));
    } catch (IllegalStateException e) {
      throw new InvalidFieldException(
          "windows",
          name,
          "it is always open: leave out a day, or write a later from or an earlier to");
    }
  }

  boolean isOpen(Instant now, ZoneId zone) {
    return weekly
        .map(hours -> hours.in(zone).isOpen(now))
        .orElseGet(
            () ->
                from.filter(opens -> !opens.isAfter(now)).isPresent()
                    && to.filter(closes -> closes.isAfter(now)).isPresent());
  }

  /** The first moment after this one at which it opens or closes, if there is any. */
  Optional<Instant> nextChange(Instant now, ZoneId zone) {
    if (weekly.isPresent()) {
      TimeWindow hours = weekly.get().in(zone);
      return Optional.of(hours.isOpen(now) ? hours.nextClosing(now) : hours.nextOpening(now));
    }
    return Stream.of(from, to)
        .flatMap(Optional::stream)
        .filter(moment -> moment.isAfter(now))
        .findFirst();
  }
}
