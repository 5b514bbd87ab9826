// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The one writer per Workload: {@link io.github.kueue4j.core.workload.WorkloadReconciler} takes
 * each step of a Workload through the parts of this package.
 */
@NullMarked
package io.github.kueue4j.core.workload;

import org.jspecify.annotations.NullMarked;
