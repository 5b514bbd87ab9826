// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.event.Level;

/**
 * The log of one class of tests, and its declarations about that. It keeps the last records and one
 * of each kind that nothing covers, so that its memory is bounded.
 */
final class ClassLog {
  static final int KEPT = 1_000;
  private static final int MOST_KINDS = 100;

  /** Records that differ in their values only, which may stand in the message, too. */
  private record Kind(Level level, String logger, String beginning) {
    private static final int LENGTH = 40;

    static Kind of(LogEntry entry) {
      String message = entry.message();
      return new Kind(
          entry.level(),
          entry.logger(),
          message.length() > LENGTH ? message.substring(0, LENGTH) : message);
    }
  }

  /** The first of a kind, and how many came. */
  private record Uncovered(LogEntry first, int count) {
    static Uncovered merge(Uncovered one, Uncovered next) {
      return new Uncovered(one.first, one.count + next.count);
    }
  }

  private final String className;

  // All guarded by this object's monitor.
  private final Deque<LogEntry> last = new ArrayDeque<>();
  private final Map<Kind, Uncovered> uncovered = new LinkedHashMap<>();
  private final Set<LogDeclaration> declared = new LinkedHashSet<>();
  private final Set<LogDeclaration> seen = new HashSet<>();
  private long dropped;
  private boolean failed;
  private boolean ended;

  ClassLog(String className) {
    this.className = className;
    declared.add(LogDeclaration.SLOW_SERVER);
  }

  synchronized void declare(List<LogDeclaration> declarations) {
    declared.addAll(declarations);
  }

  synchronized void failed() {
    failed = true;
  }

  synchronized boolean declares(LogEntry entry) {
    return declared.stream().anyMatch(declaration -> declaration.matches(entry));
  }

  /** Takes in a record. What comes after the end is printed at once. */
  void add(LogEntry entry) {
    synchronized (this) {
      if (!ended) {
        keep(entry);
        return;
      }
    }
    print(line(entry, 1));
  }

  private void keep(LogEntry entry) {
    last.add(entry);
    if (last.size() > KEPT) {
      last.remove();
      dropped++;
    }
    boolean covered = false;
    for (LogDeclaration declaration : declared) {
      if (declaration.matches(entry)) {
        covered = true;
        seen.add(declaration);
      }
    }
    Kind kind = Kind.of(entry);
    if (!covered && (uncovered.size() < MOST_KINDS || uncovered.containsKey(kind))) {
      uncovered.merge(kind, new Uncovered(entry, 1), Uncovered::merge);
    }
  }

  synchronized List<LogEntry> entries() {
    return List.copyOf(last);
  }

  /** What has to come and has not. */
  synchronized List<LogDeclaration> missing() {
    return declared.stream()
        .filter(LogDeclaration::expected)
        .filter(declaration -> !seen.contains(declaration))
        .toList();
  }

  /** Prints what is worth it: of a class that failed everything, else what nothing covers. */
  void end() {
    String report;
    synchronized (this) {
      ended = true;
      report = failed ? everything("failed") : uncovered();
      last.clear();
      uncovered.clear();
    }
    print(report);
  }

  /** Prints everything, since the JVM ends while the class runs. */
  void breakOff() {
    print(everything("has not ended"));
  }

  private synchronized String everything(String why) {
    if (last.isEmpty()) {
      return "";
    }
    List<String> all = new ArrayList<>();
    all.add(
        "---- Log of %s, which %s%s:\n"
            .formatted(
                className,
                why,
                dropped == 0 ? "" : "; " + dropped + " records before were dropped"));
    last.forEach(entry -> all.add(entry.full()));
    all.add("---- End of the log of %s\n".formatted(className));
    return String.join("", all);
  }

  private String uncovered() {
    return uncovered.values().stream()
        .map(each -> line(each.first(), each.count()))
        .collect(Collectors.joining());
  }

  private String line(LogEntry entry, int count) {
    String simpleName = className.substring(className.lastIndexOf('.') + 1);
    return "%s%s (%s%s)\n"
        .formatted(
            entry.level() == Level.ERROR ? "UNEXPECTED " : "",
            entry.line(),
            simpleName,
            count == 1 ? "" : ", " + count + " times");
  }

  private static void print(String text) {
    if (!text.isEmpty()) {
      System.out.print(text);
      System.out.flush();
    }
  }
}
