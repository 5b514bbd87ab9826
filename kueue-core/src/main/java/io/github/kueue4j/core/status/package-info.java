// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The statuses of queues and Cohorts: whether they are active, and what is pending and in use. */
@NullMarked
package io.github.kueue4j.core.status;

import org.jspecify.annotations.NullMarked;
