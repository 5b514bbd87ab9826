// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * How often and with what delay a failed ProvisioningRequest is retried.
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
}
