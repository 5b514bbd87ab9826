// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Workloads that wait for quota: their requests, their order, and which of them to try next. */
@NullMarked
package io.github.kueue4j.core.queue;

import org.jspecify.annotations.NullMarked;
