// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.RequeuingTimestamp;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the block {@code waitForPodsReady} (KEP-1282). Its presence enables the policy. */
final class PodsReadyBlock {
  private static final String KEY = "waitForPodsReady";
  private static final String TIMEOUT = "timeout";
  private static final String RECOVERY = "recoveryTimeout";
  private static final String BASE = "backoffBaseSeconds";
  private static final String LIMIT_COUNT = "backoffLimitCount";
  private static final String LIMIT_TIMEOUT = "backoffLimitTimeout";

  private PodsReadyBlock() {}

  static WaitForPodsReady read(YamlBlock root, FeatureGates gates) {
    boolean present = root.has(KEY);
    try (YamlBlock block = root.block(KEY)) {
      boolean enabled = block.flag("enable", true);
      boolean blockAdmission = block.flag("blockAdmission", false);
      Duration timeout = notNegative(block, TIMEOUT, PodsReadyPolicy.DEFAULT_TIMEOUT);
      if (timeout.isZero()) {
        timeout = PodsReadyPolicy.DEFAULT_TIMEOUT;
        block.reportUnused(TIMEOUT, "0s counts as the default, " + GoDuration.format(timeout));
      }
      if (present && gates.enabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)) {
        root.reportUnused(KEY, "the feature gate DisableWaitForPodsReady is on");
      } else if (!enabled) {
        block.reportUnusedBut(Set.of("enable"), "enable is false");
      }
      PodsReadyPolicy policy = strategy(block, timeout, notNegative(block, RECOVERY, timeout));
      return present && enabled
          ? new WaitForPodsReady(policy, true, blockAdmission)
          : WaitForPodsReady.ifAsked();
    }
  }

  private static PodsReadyPolicy strategy(
      YamlBlock parent, Duration timeout, Duration recoveryTimeout) {
    try (YamlBlock block = parent.block("requeuingStrategy")) {
      String timestamp =
          block.oneOf(
              "timestamp",
              RequeuingTimestamp.EVICTION.value(),
              RequeuingTimestamp.EVICTION.value(),
              RequeuingTimestamp.CREATION.value());
      PodsReadyPolicy policy =
          new PodsReadyPolicy(
              timeout,
              recoveryTimeout,
              new RequeuingTimestamp(timestamp),
              block.has(LIMIT_COUNT) ? Integer.valueOf(count(block, LIMIT_COUNT, 0)) : null,
              seconds(block, BASE, PodsReadyPolicy.DEFAULT_BACKOFF_BASE),
              seconds(block, "backoffMaxSeconds", PodsReadyPolicy.DEFAULT_BACKOFF_MAX),
              limitTimeout(block));
      if (block.has(BASE) && policy.baseIsCut()) {
        block.reportUnused(
            BASE, "no delay is longer than backoffMaxSeconds, " + policy.backoffMax().toSeconds());
      }
      return policy;
    }
  }

  private static @Nullable Duration limitTimeout(YamlBlock block) {
    if (!block.has(LIMIT_TIMEOUT)) {
      return null;
    }
    Duration limit = block.duration(LIMIT_TIMEOUT, Duration.ZERO);
    if (!limit.isPositive()) {
      throw block.invalid(LIMIT_TIMEOUT, "must be positive; leave it out for no limit");
    }
    return limit;
  }

  private static Duration seconds(YamlBlock block, String key, Duration fallback) {
    return Duration.ofSeconds(count(block, key, Math.toIntExact(fallback.toSeconds())));
  }

  private static int count(YamlBlock block, String key, int fallback) {
    int count = block.number(key, fallback);
    if (count < 0) {
      throw block.invalid(key, "is " + count + "; it must not be negative");
    }
    return count;
  }

  private static Duration notNegative(YamlBlock block, String key, Duration fallback) {
    Duration duration = block.duration(key, fallback);
    if (duration.isNegative()) {
      throw block.invalid(key, "must not be negative");
    }
    return duration;
  }
}
