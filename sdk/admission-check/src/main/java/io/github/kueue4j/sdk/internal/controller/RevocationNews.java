// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.sdk.internal.DelayText;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells that a Ready was to be taken back and wasn't, once for each obstacle: the owner of what
 * runs by an event, the operator by a line of the log. The metric counts each time.
 */
final class RevocationNews {
  private static final Logger log = LoggerFactory.getLogger(RevocationNews.class);

  private final EventRecorder events;
  private final CheckMetrics metrics;

  RevocationNews(EventRecorder events, CheckMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  /**
   * Tells it.
   *
   * @param reason that the check gave
   * @param next when the check is asked again
   */
  void waits(OwnEntry<?> entry, Revocations.Ruling.Wait ruling, String reason, Duration next) {
    metrics.revocation(entry.check(), ruling.obstacle().label());
    if (ruling.obstacle().equals(ruling.doubt().told())) {
      return;
    }
    String says =
        "Admission check %s says %s (%s) about this workload, which it let through"
            .formatted(entry.check(), ruling.doubt().state().value(), reason);
    String asked = "it is asked again in " + DelayText.of(next);
    switch (ruling.obstacle()) {
      case UNCONFIRMED -> {
        log(entry, ruling, reason, next)
            .log("A check takes back its Ready; a second answer is awaited");
        events.normal(
            entry.workload(),
            "AdmissionCheckRevocationUnconfirmed",
            "AdmissionCheckUpdated",
            says + "; " + asked + ", and the workload ends if the answer is the same");
      }
      case HELD_BACK -> {
        log(entry, ruling, reason, next)
            .log("A check has ended as many workloads as it may; this one is held back");
        events.warning(
            entry.workload(),
            "AdmissionCheckRevocationHeldBack",
            "AdmissionCheckUpdated",
            says
                + ", but has ended as many workloads of late as its controller lets it end; "
                + asked);
      }
    }
  }

  private static LoggingEventBuilder log(
      OwnEntry<?> entry, Revocations.Ruling.Wait ruling, String reason, Duration next) {
    return (ruling.obstacle() == Revocations.Obstacle.HELD_BACK ? log.atWarn() : log.atInfo())
        .addKeyValue("workload", entry.key())
        .addKeyValue("check", entry.check())
        .addKeyValue("state", ruling.doubt().state())
        .addKeyValue("reason", reason)
        .addKeyValue("next", next);
  }

  /** A Ready was taken back. */
  void written(String check) {
    metrics.revocation(check, CheckMetrics.REVOCATION_WRITTEN);
  }
}
