// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.report.BudgetReport;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kueue4j budget report}: who has used what. */
@Command(
    name = "report",
    description = {
      "Says who has used how much of a budget, and what that comes to when its window ends: what"
          + " the budget check has booked. Only reads.",
      "A forecast goes on at the rate since the beginning of the window of seven days ago. What is"
          + " reserved until the end is the least that it adds."
    })
final class BudgetReportCommand implements Callable<Integer> {
  private enum By {
    NAMESPACE(BudgetReport.By.NAMESPACE),
    QUEUE(BudgetReport.By.QUEUE),
    USER(BudgetReport.By.USER);

    private final BudgetReport.By rows;

    By(BudgetReport.By rows) {
      this.rows = rows;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How a report is printed. */
  private enum RowsFormat {
    TABLE,
    CSV,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final class Which {
    @Option(
        names = "--check",
        paramLabel = "NAME",
        description = "the budget of this AdmissionCheck (default: of all BudgetPolicies)")
    private @Nullable String check;

    @Option(
        names = "--budget",
        paramLabel = "NAMESPACE/NAME",
        description = "this Budget: what is used in its namespace, or of its LocalQueue")
    private @Nullable String budget;
  }

  @ArgGroup private Which which = new Which();

  @Option(
      names = "--by",
      paramLabel = "WHO",
      description = "namespace, queue or user (default: namespace, with --budget queue)")
  private @Nullable By by;

  @Option(
      names = "--since",
      paramLabel = "DATE",
      description =
          "from this day on, as 2026-11-01 in the budget's time zone, or a time as"
              + " 2026-11-01T00:00:00Z; a window that has passed counts as a whole (default: the"
              + " present window)")
  private @Nullable String since;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, csv or json (default: table)")
  private RowsFormat format = RowsFormat.TABLE;

  @Mixin private KueueCluster cluster = new KueueCluster();

  private final InstantSource time;

  BudgetReportCommand() {
    this(TimeSource.wallClock());
  }

  /** One for which it is this time. */
  BudgetReportCommand(InstantSource time) {
    this.time = time;
  }

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        which.budget == null
            ? "this needs get and list of budgetpolicies, budgetledgers and budgets"
                + (which.check == null ? "" : ", and get of admissionchecks")
                + ", in the cluster"
            : "--budget needs get and list of budgets in the namespace, and get of the budgetpolicy"
                + " and of its budgetledger POLICY.NAMESPACE",
        this::print);
  }

  private int print(ClusterConnection connection, PrintWriter out) {
    Instant now = time.instant();
    BudgetSources sources = new BudgetSources(connection.api(), cluster::note);
    List<BudgetSources.OfPolicy> all =
        which.budget != null
            ? List.of(sources.ofBudget(which.budget))
            : which.check != null ? List.of(sources.ofCheck(which.check)) : sources.all();
    BudgetReport.By rows =
        by == null
            ? which.budget == null ? BudgetReport.By.NAMESPACE : BudgetReport.By.QUEUE
            : by.rows;
    List<BudgetReportText> reports = new ArrayList<>();
    for (BudgetSources.OfPolicy one : all) {
      BudgetReport report =
          BudgetReport.of(
              one.policy(),
              one.ledgers(),
              rows,
              Optional.ofNullable(since).map(text -> since(text, one.policy(), now)),
              now);
      BudgetReportText text = new BudgetReportText(one.policy(), report, rows);
      text.notes().forEach(cluster::note);
      reports.add(text);
    }
    switch (format) {
      case TABLE -> BudgetReportText.tables(reports).forEach(out::println);
      case CSV -> BudgetReportText.csv(reports).forEach(out::println);
      case JSON -> out.print(ExplanationText.json(BudgetReportText.tree(reports)));
    }
    return 0;
  }

  /**
   * Reads a day of the window's time zone, or a time.
   *
   * @throws UserError if it is neither, or hasn't come yet
   */
  private static Instant since(String text, Policy policy, Instant now) {
    Instant since;
    try {
      since = text.contains("T") ? Instant.parse(text) : policy.beginOf(LocalDate.parse(text));
    } catch (DateTimeException e) {
      throw new UserError(
          "--since is '"
              + text
              + "': write a day such as 2026-11-01, or a time such as 2026-11-01T00:00:00Z",
          e);
    }
    if (since.isAfter(now)) {
      throw new UserError("--since is '" + text + "', which is to come: write an earlier day");
    }
    return since;
  }
}
