// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.ObjectKey;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a run ended.
 *
 * @param unfinished Jobs that did not succeed
 * @param jobs how many Jobs there were
 * @param story what was to be shown
 * @param history what happened to their Workloads
 * @param traffic what the server was asked
 * @param simulated how long it took by the cluster's clock
 * @param real how long it took
 */
record Summary(
    List<ObjectKey> unfinished,
    int jobs,
    Story story,
    History history,
    Traffic traffic,
    Duration simulated,
    Duration real) {

  Summary {
    unfinished = List.copyOf(unfinished);
  }

  boolean succeeded() {
    return unfinished.isEmpty() && story.missing().isEmpty();
  }

  /**
   * Prints it in fewer than ten lines if all Jobs have finished.
   *
   * @param verbose whether to add the requests of each client
   */
  void print(PrintStream out, boolean verbose) {
    out.println();
    line(
        out,
        "Jobs finished",
        (jobs - unfinished.size())
            + " of "
            + jobs
            + ", in "
            + Durations.brief(simulated)
            + " of simulated time ("
            + Durations.brief(real)
            + ")");
    unfinished.forEach(key -> line(out, "  not finished", key.toString()));
    List<Story.Step> missing = story.missing();
    line(out, "Steps seen", (story.length() - missing.size()) + " of " + story.length());
    missing.forEach(step -> line(out, "  not seen", step.job() + ' ' + step.sentence()));
    line(out, "Workloads admitted", Integer.toString(history.admitted()));
    line(
        out,
        "Retries by check",
        history.retriesByCheck().entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", ")));
    history
        .longestWait()
        .ifPresent(
            wait ->
                line(
                    out,
                    "Longest wait",
                    Durations.brief(wait.duration()) + " (" + wait.workload() + ")"));
    long writes = traffic.clients().stream().mapToLong(one -> traffic.sum(one, false)).sum();
    long reads = traffic.clients().stream().mapToLong(one -> traffic.sum(one, true)).sum();
    line(
        out,
        "API requests",
        perWorkload(writes)
            + " writes, "
            + perWorkload(reads)
            + " reads per admitted workload"
            + (verbose ? "" : "; by client with --verbose"));
    if (verbose) {
      traffic.clients().forEach(client -> printRequests(out, client));
    }
    out.flush();
  }

  private void printRequests(PrintStream out, String client) {
    line(
        out,
        "  " + client,
        perWorkload(traffic.sum(client, false))
            + " writes, "
            + perWorkload(traffic.sum(client, true))
            + " reads");
    traffic.counts().entrySet().stream()
        .filter(entry -> entry.getKey().client().equals(client) && !entry.getKey().reads())
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(
            entry ->
                line(
                    out,
                    "",
                    String.format(
                        Locale.ROOT,
                        "  %6s  %-6s %s",
                        perWorkload(entry.getValue()),
                        entry.getKey().verb(),
                        entry.getKey().resource())));
  }

  private String perWorkload(long count) {
    return String.format(Locale.ROOT, "%.1f", count / (double) Math.max(1, history.admitted()));
  }

  private static void line(PrintStream out, String what, String value) {
    out.println(String.format(Locale.ROOT, "%-20s %s", what, value).stripTrailing());
  }
}
