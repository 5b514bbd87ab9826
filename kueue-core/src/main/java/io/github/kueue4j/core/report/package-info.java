// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The core's reports about queues and Workloads: the statuses of queues, and metrics. */
@NullMarked
package io.github.kueue4j.core.report;

import org.jspecify.annotations.NullMarked;
