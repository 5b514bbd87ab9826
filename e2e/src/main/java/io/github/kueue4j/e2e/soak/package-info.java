// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The soak behind {@code ./kueue4j bench-soak}: Workloads and Jobs come, run, finish and are
 * deleted at a steady rate, while the core's process is watched for anything that grows.
 */
@NullMarked
package io.github.kueue4j.e2e.soak;

import org.jspecify.annotations.NullMarked;
