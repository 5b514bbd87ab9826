// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRetryStrategy;
import io.github.kueue4j.sdk.Circumstances;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The parts of a ProvisioningRequestConfig that have no effect, or likely another one than is
 * meant.
 */
final class ConfigRemarks {

  private static final String BASE = "spec.retryStrategy.backoffBaseSeconds";
  private static final String LIMIT = "spec.retryStrategy.backoffLimitCount";
  private static final String MAX = "spec.retryStrategy.backoffMaxSeconds";

  private ConfigRemarks() {}

  /** Each with its remedy. */
  static List<String> of(ProvisioningRequestConfigSpec config, Circumstances at) {
    ProvisioningRetryStrategy strategy = config.retryStrategy();
    return Stream.of(
            at.misspelt("spec.managedResources", config.managedResources()),
            negative(LIMIT, strategy.backoffLimitCount()),
            atOnce(strategy),
            negative(BASE, strategy.backoffBaseSeconds()),
            base(strategy),
            at.cut(MAX, Optional.of(Duration.ofSeconds(strategy.backoffMaxSeconds()))))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> atOnce(ProvisioningRetryStrategy strategy) {
    return strategy.backoffMaxSeconds() > 0 || strategy.backoffBaseSeconds() <= 0
        ? Optional.empty()
        : Optional.of(
            MAX
                + " is "
                + strategy.backoffMaxSeconds()
                + ", so that what has failed is asked for again at once: write the longest delay,"
                + " or 0 in backoffBaseSeconds, too");
  }

  private static Optional<String> negative(String field, int value) {
    return value < 0
        ? Optional.of(field + " is " + value + ", which counts as 0: write 0 or more")
        : Optional.empty();
  }

  private static Optional<String> base(ProvisioningRetryStrategy strategy) {
    int base = strategy.backoffBaseSeconds();
    int max = strategy.backoffMaxSeconds();
    return base > max && max > 0
        ? Optional.of(
            "%s is %s, and no delay is longer than backoffMaxSeconds, %s: raise that"
                .formatted(BASE, base, max))
        : Optional.empty();
  }
}
