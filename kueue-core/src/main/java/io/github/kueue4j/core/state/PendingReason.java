// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

/**
 * Why a Workload waits.
 *
 * @param reason of the condition QuotaReserved=False
 * @param message the same in words
 */
record PendingReason(String reason, String message) {}
