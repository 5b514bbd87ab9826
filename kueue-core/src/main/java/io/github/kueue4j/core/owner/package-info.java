// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The Jobs behind Workloads: {@link io.github.kueue4j.core.owner.Jobs} creates their Workloads, and
 * binds a {@link io.github.kueue4j.core.owner.WorkloadJob} per Workload, which starts, stops and
 * restores the Job.
 */
@NullMarked
package io.github.kueue4j.core.owner;

import org.jspecify.annotations.NullMarked;
