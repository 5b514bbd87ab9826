// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.approvalcheck.Standing;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kueue4j approve NAME}. */
@Command(
    name = "approve",
    description =
        "Approves a Workload that waits for a person: it may start, as it is now. 'approvals' lists"
            + " those that wait.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class ApproveCommand extends DecisionCommand {
  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "when the approval ends, as 2h or 2026-12-20T18:00:00Z (default: as the ApprovalCheck"
              + " says)")
  private @Nullable String until;

  @Option(names = "--comment", paramLabel = "TEXT", description = "for the owner of the Workload")
  private @Nullable String comment;

  ApproveCommand() {
    super(Standing.Approved.class, "approved", "--until with a later time extends it");
  }

  @Override
  Map<String, String> decision(Instant now) {
    Map<String, String> fields = new TreeMap<>(Map.of("decision", "Approve"));
    if (until != null) {
      fields.put("until", end(until, now).toString());
    }
    if (comment != null) {
      fields.put("comment", comment);
    }
    return fields;
  }

  /** In whole seconds. */
  static Instant end(String text, Instant now) {
    Instant end;
    try {
      end = now.plus(GoDuration.parse(text));
    } catch (IllegalArgumentException noDuration) {
      try {
        end = OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException noTime) {
        throw new UserError(
            "--until is '"
                + text
                + "': write a duration such as 2h, or a time such as 2026-12-20T18:00:00Z",
            noTime);
      }
    }
    Instant whole = end.truncatedTo(ChronoUnit.SECONDS);
    if (!whole.isAfter(now)) {
      throw new UserError("--until is '" + text + "', which has passed: write a later time");
    }
    return whole;
  }

  @Override
  boolean repeats(Standing standing, Instant now) {
    String text = until;
    return standing instanceof Standing.Approved(Standing.Ruling ruling, Optional<Instant> ends)
        && (text == null || ends.filter(earlier -> !end(text, now).isAfter(earlier)).isPresent());
  }
}
