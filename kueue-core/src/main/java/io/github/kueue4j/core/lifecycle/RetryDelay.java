// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The delay by which one check keeps a Workload in backoff.
 *
 * @param until when it ends
 * @param length from the Retry to its end, within the configured bounds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetryDelay(Instant until, Duration length) {}
