// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.TimeWindow;
import io.github.kueue4j.sdk.Verdict;
import java.time.LocalTime;
import java.time.ZoneId;

/** Lets workloads start at certain hours only, which a ConfigMap says. */
// @start region=window
public final class WindowCheck implements Check<WindowCheck.Window> {
  /** The keys of the ConfigMap. */
  public record Window(LocalTime opens, LocalTime closes, ZoneId zone) {}

  public static CheckController controller(CheckEnvironment environment) {
    return CheckController.builder("example.com/window", environment)
        .check(Parameters.configMap("team-a", Window.class), new WindowCheck())
        .build();
  }

  @Override
  public Verdict evaluate(Evaluation<Window> evaluation) {
    Window read = evaluation.parameters();
    TimeWindow window = TimeWindow.daily(read.opens(), read.closes(), read.zone());
    return window.isOpen(evaluation.now())
        ? Verdict.ready("The window is open until " + read.closes() + ".")
        : Verdict.retry(
            Reason.of("WindowClosed"),
            "It is closed; queued again in {delay}.",
            Backoff.untilOpen(window));
  }
}
// @end region=window
