// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.time.Duration;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The block {@code kueue4j.quotaRelease}: when the quota of a Job that was stopped or deleted is
 * free for others.
 *
 * @param afterPods whether it is kept until the last of its pods has ended, those that terminate
 *     included; otherwise only until the Job counts no pod as active, as in Kueue
 * @param lostNodeTimeout how long a pod keeps it whose node isn't ready, from the end of the time
 *     that the pod had to terminate; default 5 min, from 0 to 100 years
 */
@API(status = API.Status.EXPERIMENTAL)
public record QuotaRelease(boolean afterPods, Duration lostNodeTimeout) {
  private static final String PODS_ENDED = "PodsEnded";
  private static final String JOB_SUSPENDED = "JobSuspended";
  private static final Duration LONGEST = Duration.ofDays(36_500);

  static QuotaRelease read(YamlBlock parent) {
    try (YamlBlock block = parent.block("quotaRelease")) {
      String when = block.oneOf("when", PODS_ENDED, PODS_ENDED, JOB_SUSPENDED);
      Duration timeout = block.duration("lostNodeTimeout", Duration.ofMinutes(5));
      if (timeout.isNegative() || timeout.compareTo(LONGEST) > 0) {
        throw block.invalid("lostNodeTimeout", "must be between 0s and 876000h");
      }
      boolean afterPods = when.equals(PODS_ENDED);
      if (!afterPods) {
        block.reportUnusedBut(Set.of("when"), "when is " + when);
      }
      return new QuotaRelease(afterPods, timeout);
    }
  }
}
