// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * What a cluster's queues and Workloads went through, written down by a client from outside, and
 * the same load run anew through the scheduler and the lifecycle in virtual time.
 */
@NullMarked
package io.github.kueue4j.observe.recording;

import org.jspecify.annotations.NullMarked;
