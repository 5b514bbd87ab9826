/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
