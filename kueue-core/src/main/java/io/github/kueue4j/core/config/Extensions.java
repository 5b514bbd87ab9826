// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The block {@code kueue4j}: keys of this implementation only.
 *
 * @param minimumRetryDelay shortest delay of a Retry; default 1 s, or maximumRetryDelay if that is
 *     less
 * @param maximumRetryDelay bound on the delay of one check; default 24 h, from 0 to 100 years
 * @param queueStatusInterval shortest real time between two status writes of one queue; default 3
 *     s, positive; counts alone wait up to five times as long while many queues change
 * @param events which events are written; default {@code Notable}
 * @param view the view of queues and Workloads; default off
 * @param quotaRelease when the quota of a Job that stops is free for others
 * @param refusesTopologies whether pods that ask for a topology are not admitted; default false
 */
@API(status = API.Status.EXPERIMENTAL)
public record Extensions(
    Duration minimumRetryDelay,
    Duration maximumRetryDelay,
    Duration queueStatusInterval,
    RecordedEvents events,
    ViewSettings view,
    QuotaRelease quotaRelease,
    boolean refusesTopologies) {
  private static final String REFUSE = "Refuse";
  private static final Duration LONGEST_RETRY_DELAY = Duration.ofDays(36_500);

  static Extensions read(YamlBlock parent) {
    try (YamlBlock block = parent.block("kueue4j")) {
      Duration maximumRetryDelay = block.duration("maximumRetryDelay", Duration.ofHours(24));
      if (maximumRetryDelay.isNegative() || maximumRetryDelay.compareTo(LONGEST_RETRY_DELAY) > 0) {
        throw block.invalid("maximumRetryDelay", "must be between 0s and 876000h");
      }
      Duration minimumRetryDelay =
          block.duration(
              "minimumRetryDelay",
              Collections.min(
                  List.of(LifecycleSettings.DEFAULT_MINIMUM_RETRY_DELAY, maximumRetryDelay)));
      if (minimumRetryDelay.isNegative() || minimumRetryDelay.compareTo(maximumRetryDelay) > 0) {
        throw block.invalid("minimumRetryDelay", "must be between 0s and maximumRetryDelay");
      }
      Duration queueStatusInterval = block.duration("queueStatusInterval", Duration.ofSeconds(3));
      if (!queueStatusInterval.isPositive()) {
        throw block.invalid("queueStatusInterval", "must be positive");
      }
      block.has(MetricsSettings.INSECURE);
      block.has("jobKinds"); // Integrations reads them.
      return new Extensions(
          minimumRetryDelay,
          maximumRetryDelay,
          queueStatusInterval,
          events(block),
          ViewSettings.read(block),
          QuotaRelease.read(block),
          block.oneOf("topologyRequests", "Ignore", "Ignore", REFUSE).equals(REFUSE));
    }
  }

  /** A copy with other settings of the view. */
  Extensions withView(ViewSettings settings) {
    return new Extensions(
        minimumRetryDelay,
        maximumRetryDelay,
        queueStatusInterval,
        events,
        settings,
        quotaRelease,
        refusesTopologies);
  }

  private static RecordedEvents events(YamlBlock block) {
    String all = RecordedEvents.ALL.toString();
    String notable = RecordedEvents.NOTABLE.toString();
    return block.oneOf("events", notable, notable, all).equals(all)
        ? RecordedEvents.ALL
        : RecordedEvents.NOTABLE;
  }
}
