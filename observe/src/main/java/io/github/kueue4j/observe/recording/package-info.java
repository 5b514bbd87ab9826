// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The history of a cluster's queues and Workloads, written down by a client from outside, and the
 * same load run anew through the scheduler and the lifecycle in virtual time.
 */
@NullMarked
package io.github.kueue4j.observe.recording;

import org.jspecify.annotations.NullMarked;
