// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The load generator behind {@code ./kueue4j bench}: Workloads arrive by a plan, run for as long as
 * the plan says once they are admitted, and how long they waited is measured from outside, through
 * the API.
 */
@NullMarked
package io.github.kueue4j.e2e.bench;

import org.jspecify.annotations.NullMarked;
