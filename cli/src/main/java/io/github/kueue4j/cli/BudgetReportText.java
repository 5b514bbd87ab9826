// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.budget.report.BudgetReport;
import io.github.kueue4j.cli.terminal.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A report on one policy as text.
 *
 * @param by what its rows are
 */
record BudgetReportText(Policy policy, BudgetReport report, BudgetReport.By by) {
  private static final List<String> COLUMNS =
      List.of(
          "policy",
          "unit",
          "since",
          "until",
          "namespace",
          "queue",
          "user",
          "used",
          "share",
          "running",
          "reserved",
          "forecast",
          "limit");

  /** What a reader of the numbers has to know. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (policy.spec().consumption().isPresent()) {
      notes.add(
          "the BudgetPolicy '"
              + policy.name()
              + "' goes by what a server measures, too: this is what the check has booked, and more"
              + " may count");
    }
    report
        .keptSince()
        .forEach(
            (namespace, since) ->
                notes.add(
                    "the BudgetLedger '%s.%s' has nothing of before %s: nothing was spent then, or it is no longer kept"
                        .formatted(policy.name(), namespace, since)));
    if (by == BudgetReport.By.USER) {
      notes.add(
          policy
              .userLabel()
              .map(
                  label ->
                      "users of the BudgetPolicy '"
                          + policy.name()
                          + "' are what the label "
                          + label
                          + " says: the word of the one who submits, unless the cluster checks it")
              .orElseGet(
                  () ->
                      "the BudgetPolicy '"
                          + policy.name()
                          + "' tells no users apart: set spec.accounting.userLabel"));
    }
    return notes;
  }

  /** For people: a table for each policy. */
  static List<String> tables(List<BudgetReportText> reports) {
    List<String> lines = new ArrayList<>();
    for (BudgetReportText one : reports) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(one.title());
      lines.addAll(one.table());
    }
    return lines;
  }

  private String title() {
    return "BudgetPolicy "
        + policy.name()
        + policy.spec().unit().map(unit -> " in " + unit).orElse("")
        + ", since "
        + report.since()
        + report.until().map(end -> ", forecast to " + end).orElse("");
  }

  private List<String> table() {
    List<List<String>> rows = new ArrayList<>();
    report.rows().forEach(row -> rows.add(cells(who(row.who()), row)));
    rows.add(cells("TOTAL", report.total()));
    return new Table(
            List.of(by.name(), "USED", "SHARE", "RUNNING", "RESERVED", "FORECAST", "LIMIT"))
        .lines(rows);
  }

  private List<String> cells(String who, BudgetReport.Row row) {
    return List.of(
        who,
        row.account().used().toString(),
        share(row).movePointRight(2).stripTrailingZeros().toPlainString() + " %",
        row.account().running().toString(),
        row.account().reserved().toString(),
        row.forecast().map(Amount::toString).orElse(report.until().isEmpty() ? "-" : "unknown"),
        row.limit().map(Amount::toString).orElse("-"));
  }

  private BigDecimal share(BudgetReport.Row row) {
    return row.account().used().partOf(report.total().account().used());
  }

  private String who(BudgetReport.Who who) {
    return switch (by) {
      case NAMESPACE -> who.namespace();
      case QUEUE -> who.namespace() + "/" + who.payer().queue();
      case USER, PAYER ->
          switch (who.payer().user()) {
            case "" -> "(no label)";
            case Payer.OTHERS -> "(others)";
            default -> who.payer().user();
          };
    };
  }

  /** For spreadsheets, as RFC 4180 has it: a line for each row, without a total. */
  static List<String> csv(List<BudgetReportText> reports) {
    return Stream.concat(
            Stream.of(COLUMNS),
            reports.stream().flatMap(one -> one.report().rows().stream().map(one::values)))
        .map(line -> line.stream().map(BudgetReportText::quoted).collect(Collectors.joining(",")))
        .toList();
  }

  private static String quoted(String cell) {
    return cell.matches("[^,\"\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  private List<String> values(BudgetReport.Row row) {
    return List.of(
        policy.name(),
        policy.spec().unit().orElse(""),
        report.since().toString(),
        report.until().map(Object::toString).orElse(""),
        row.who().namespace(),
        row.who().payer().queue(),
        row.who().payer().user(),
        number(row.account().used()),
        share(row).toPlainString(),
        number(row.account().running()),
        number(row.account().reserved()),
        row.forecast().map(BudgetReportText::number).orElse(""),
        row.limit().map(BudgetReportText::number).orElse(""));
  }

  private static String number(Amount amount) {
    return amount.toDecimal().toPlainString();
  }

  /** For programs. */
  static Map<String, Object> tree(List<BudgetReportText> reports) {
    return Map.of("reports", reports.stream().map(BudgetReportText::fields).toList());
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("policy", policy.name());
    policy.spec().unit().ifPresent(unit -> fields.put("unit", unit));
    fields.put("since", report.since().toString());
    report.until().ifPresent(end -> fields.put("until", end.toString()));
    fields.put("rows", report.rows().stream().map(row -> fields(row, true)).toList());
    fields.put("total", fields(report.total(), false));
    fields.put(
        "keptSince",
        report.keptSince().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, kept -> kept.getValue().toString())));
    return fields;
  }

  private Map<String, Object> fields(BudgetReport.Row row, boolean told) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (told && by != BudgetReport.By.USER) {
      fields.put("namespace", row.who().namespace());
    }
    if (told && by == BudgetReport.By.QUEUE) {
      fields.put("queue", row.who().payer().queue());
    }
    if (told && by == BudgetReport.By.USER) {
      fields.put("user", row.who().payer().user());
    }
    fields.put("used", row.account().used().toDecimal());
    fields.put("share", share(row));
    fields.put("running", row.account().running().toDecimal());
    fields.put("reserved", row.account().reserved().toDecimal());
    put(fields, "forecast", row.forecast());
    put(fields, "limit", row.limit());
    return fields;
  }

  private static void put(Map<String, Object> fields, String name, Optional<Amount> amount) {
    amount.ifPresent(known -> fields.put(name, known.toDecimal()));
  }
}
