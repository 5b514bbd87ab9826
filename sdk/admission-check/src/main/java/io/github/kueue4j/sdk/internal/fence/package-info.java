// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The fence between a verdict and the Workload: whether an answer that took time to find may still
 * be written ({@code docs/lifecycle.md#the-side-of-the-checks}). Functions of values only: no
 * clock, no I/O, no randomness, so that the rules can be tested cell by cell and explored
 * exhaustively.
 */
@NullMarked
package io.github.kueue4j.sdk.internal.fence;

import org.jspecify.annotations.NullMarked;
