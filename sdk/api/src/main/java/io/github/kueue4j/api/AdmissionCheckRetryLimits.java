// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * kueue4j extension: how far a check may go with Retry.
 *
 * @param maxDelay the longest delay of a Retry, whether its check asked for it or {@code
 *     spec.retry} computed it; a longer one counts as this long. Absent for the configured maximum
 * @param maxRetries at least 1: how many Retries a workload waits out since the check last
 *     succeeded; the next one deactivates it. Absent is any number
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckRetryLimits(
    @Nullable Duration maxDelay, @Nullable Integer maxRetries) {}
