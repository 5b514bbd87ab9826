// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Use;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.Locale;

/**
 * The texts that people read.
 *
 * @param policy whose unit and window they name
 */
record Wording(Policy policy) {

  String reserved(Reservation asked, Answer.Granted granted) {
    String left =
        policy.text(granted.left())
            + " of "
            + ofWindow()
            + policy.text(granted.limit())
            + ofQueue(granted.queue())
            + " left";
    return asked.charge().projected().isZero()
        ? "Charged "
            + policy.text(asked.rate().during(Duration.ofHours(1)))
            + " per hour; "
            + left
            + "."
        : "Reserved " + policy.text(asked.cost()) + ", " + left + ".";
  }

  String softLimit() {
    return "Warning: more than "
        + policy.spec().softLimitPercent().orElseThrow()
        + " % of the budget is used.";
  }

  String exhausted(Reservation asked, Answer.Exhausted answer) {
    return kind()
        + " exhausted. Will retry "
        + when(answer.retryAt())
        + ". "
        + costs(asked)
        + ", and "
        + used(answer.use())
        + " of "
        + policy.text(answer.limit())
        + ofQueue(answer.queue())
        + " are used.";
  }

  String neverFits(Reservation asked, Answer.NeverFits answer) {
    return costs(asked)
        + ", more than the whole "
        + kind().toLowerCase(Locale.ROOT)
        + ofQueue(answer.queue())
        + ", "
        + policy.text(answer.limit())
        + ": let it run for a shorter time or on less, or ask the administrator of the BudgetPolicy '"
        + policy.name()
        + "' for more.";
  }

  String suffices(Reservation asked, Answer.Granted granted) {
    return "The budget suffices now: %s, and %s of %s%s are left."
        .formatted(
            costs(asked, "the"),
            policy.text(granted.left().plus(asked.cost())),
            ofWindow(),
            policy.text(granted.limit()));
  }

  private String costs(Reservation asked) {
    return costs(asked, "The");
  }

  private String costs(Reservation asked, String article) {
    return article
        + " Workload costs "
        + (asked.charge().projected().isZero()
            ? policy.text(asked.rate().during(Duration.ofHours(1))) + " per hour"
            : policy.text(asked.cost()));
  }

  private String used(Use use) {
    Amount total = use.total();
    return policy.text(total) + " (" + use.spent() + " spent, " + use.reserved() + " reserved)";
  }

  private static String ofQueue(String queue) {
    return queue.isEmpty() ? "" : " of the LocalQueue '" + queue + "'";
  }

  private String kind() {
    return switch (policy.window()) {
      case Window.Calendar calendar ->
          switch (calendar.unit()) {
            case DAY -> "Daily budget";
            case WEEK -> "Weekly budget";
            case MONTH -> "Monthly budget";
          };
      case Window.Rolling rolling -> "Budget";
    };
  }

  private String ofWindow() {
    return switch (policy.window()) {
      case Window.Calendar calendar ->
          switch (calendar.unit()) {
            case DAY -> "today's ";
            case WEEK -> "this week's ";
            case MONTH -> "this month's ";
          };
      case Window.Rolling rolling -> "";
    };
  }

  private String when(Instant retryAt) {
    return switch (policy.window()) {
      case Window.Calendar calendar -> {
        LocalDate day = retryAt.atZone(calendar.zone()).toLocalDate();
        yield switch (calendar.unit()) {
          case DAY -> "at midnight";
          case WEEK ->
              "on "
                  + day.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH)
                  + " at midnight";
          case MONTH -> "on " + day + " at midnight";
        };
      }
      case Window.Rolling rolling -> "in {delay}";
    };
  }
}
