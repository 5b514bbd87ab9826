// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.ObjectKey;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One line per change, for pipes and log files. Not thread-safe: one caller shows. */
final class ChangeLog implements Screen {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("EEE HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final PrintStream out;
  private final Map<ObjectKey, WorkloadLine> shown = new HashMap<>();

  ChangeLog(PrintStream out) {
    this.out = out;
  }

  @Override
  public void show(Instant now, List<WorkloadLine> lines) {
    for (WorkloadLine line : lines) {
      if (line.tellsMoreThan(shown.put(line.key(), line))) {
        out.println(CLOCK.format(now) + "  " + text(line, now));
      }
    }
  }

  @Override
  public void note(Instant now, String sentence) {
    out.println(CLOCK.format(now) + "  " + sentence);
  }

  private static String text(WorkloadLine line, Instant now) {
    StringBuilder text =
        new StringBuilder(String.format(Locale.ROOT, "%-28s %-10s", line.name(), line.phaseWord()));
    append(text, " ", line.checksText(), "");
    append(text, "  requeue in ", line.requeueIn(now), "");
    append(text, "  \"", line.message(), "\"");
    return text.toString().stripTrailing();
  }

  private static void append(StringBuilder text, String before, String part, String after) {
    if (!part.isEmpty()) {
      text.append(before).append(part).append(after);
    }
  }
}
