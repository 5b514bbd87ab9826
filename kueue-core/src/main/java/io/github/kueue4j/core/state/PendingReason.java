// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

/**
 * Why a Workload waits for quota, as the scheduler found: written as QuotaReserved=False. {@code
 * workload.QueuePendingReason} says it of Workloads that are in no queue, and {@link
 * io.github.kueue4j.core.lifecycle.WaitReason} why the lifecycle has nothing to write; {@code
 * explain} in the module observe puts all of it in words for users.
 *
 * @param reason of the condition QuotaReserved=False
 * @param message the same in words
 */
record PendingReason(String reason, String message) {}
