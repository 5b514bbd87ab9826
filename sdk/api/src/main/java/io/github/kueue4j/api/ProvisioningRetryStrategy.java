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
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * How often and with what delay a failed ProvisioningRequest is tried again.
 *
 * @param backoffLimitCount retries before the check rejects; absent is 3
 * @param backoffBaseSeconds first delay in seconds, doubled by each retry; absent is 60
 * @param backoffMaxSeconds longest delay in seconds; absent is 1800
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRetryStrategy(
    Integer backoffLimitCount, Integer backoffBaseSeconds, Integer backoffMaxSeconds) {
  public ProvisioningRetryStrategy {
    backoffLimitCount = backoffLimitCount == null ? 3 : backoffLimitCount;
    backoffBaseSeconds = backoffBaseSeconds == null ? 60 : backoffBaseSeconds;
    backoffMaxSeconds = backoffMaxSeconds == null ? 1800 : backoffMaxSeconds;
  }

  /** 3 retries, from 60 s up to 1800 s. */
  public static ProvisioningRetryStrategy defaults() {
    return new ProvisioningRetryStrategy(3, 60, 1800);
  }

  /** A copy with another {@code backoffLimitCount}. */
  public ProvisioningRetryStrategy withBackoffLimitCount(Integer backoffLimitCount) {
    return new ProvisioningRetryStrategy(backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds);
  }

  /** A copy with another {@code backoffBaseSeconds}. */
  public ProvisioningRetryStrategy withBackoffBaseSeconds(Integer backoffBaseSeconds) {
    return new ProvisioningRetryStrategy(backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds);
  }

  /** A copy with another {@code backoffMaxSeconds}. */
  public ProvisioningRetryStrategy withBackoffMaxSeconds(Integer backoffMaxSeconds) {
    return new ProvisioningRetryStrategy(backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds);
  }
}
