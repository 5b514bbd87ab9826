// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Jobs as owners of Workloads: the Workload of a Job, and the changes of a Job when it is started,
 * stopped and restored. Pure functions from the object that was read to the object to write.
 */
@NullMarked
package io.github.kueue4j.jobs;

import org.jspecify.annotations.NullMarked;
