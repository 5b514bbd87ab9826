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
package io.github.kueue4j.core.config;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Block {@code kueue4j}: the keys that only this implementation knows.
 *
 * @param maximumRetryDelay bound on the delay that one check may ask for; default 24 h, not
 *     negative
 * @param queueStatusInterval shortest real time between two status writes of one queue; default 3
 *     s, positive
 */
@API(status = API.Status.EXPERIMENTAL)
public record Extensions(Duration maximumRetryDelay, Duration queueStatusInterval) {
  private static final Duration LONGEST_RETRY_DELAY = Duration.ofDays(36_500);

  static Extensions read(ConfigurationBlock parent) {
    try (ConfigurationBlock block = parent.block("kueue4j")) {
      Duration maximumRetryDelay = block.duration("maximumRetryDelay", Duration.ofHours(24));
      if (maximumRetryDelay.isNegative() || maximumRetryDelay.compareTo(LONGEST_RETRY_DELAY) > 0) {
        throw block.invalid("maximumRetryDelay", "must be between 0s and 876000h");
      }
      Duration queueStatusInterval = block.duration("queueStatusInterval", Duration.ofSeconds(3));
      if (!queueStatusInterval.isPositive()) {
        throw block.invalid("queueStatusInterval", "must be positive");
      }
      block.has(MetricsSettings.INSECURE);
      return new Extensions(maximumRetryDelay, queueStatusInterval);
    }
  }
}
