// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * How often calls of some methods wait, and how long.
 *
 * @param percent of the calls that wait, more than 0 and at most 100
 * @param longest a call that waits does so for a random time up to this one
 * @param where what the qualified name of a method contains, such as {@code WatchSource.open};
 *     empty for all methods, of which each waits every 20 ms at most, so that loops aren't held up
 */
@API(status = API.Status.INTERNAL)
public record DelayRule(double percent, Duration longest, String where) {
  private static final Pattern RULE =
      Pattern.compile(
          "(?<percent>\\d{1,3}(\\.\\d+)?)%x(?<millis>\\d{1,6})ms(@(?<where>[\\w.$]+))?");

  /**
   * Reads rules, the first of which that fits a method holds.
   *
   * @param text such as {@code 100%x600ms@WatchSource.open,0.5%x60ms}
   * @throws IllegalArgumentException if it isn't of that form; says what to write
   */
  public static List<DelayRule> parse(String text) {
    return Arrays.stream(text.split(",", -1)).map(DelayRule::one).toList();
  }

  private static DelayRule one(String text) {
    Matcher rule = RULE.matcher(text);
    if (!rule.matches()) {
      throw wrong(text);
    }
    double percent = Double.parseDouble(rule.group("percent"));
    if (percent <= 0 || percent > 100) {
      throw wrong(text);
    }
    String where = rule.group("where");
    return new DelayRule(
        percent,
        Duration.ofMillis(Long.parseLong(rule.group("millis"))),
        where == null ? "" : where);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is no rule of -Dkueue4j.delays: write PERCENT%xMILLISms, such as 0.5%x60ms, or with a"
            + " part of a method's name, such as 100%x600ms@WatchSource.open; the percentage is above"
            + " 0 and at most 100");
  }

  /** Whether the rule is about this method. */
  public boolean fits(String method) {
    return method.contains(where);
  }
}
