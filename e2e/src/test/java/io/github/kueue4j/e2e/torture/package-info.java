// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Load tests with many Workloads, misbehaving checks and a core that keeps being killed: in the end
 * all promises of {@code docs/lifecycle.md} hold.
 */
@NullMarked
package io.github.kueue4j.e2e.torture;

import org.jspecify.annotations.NullMarked;
