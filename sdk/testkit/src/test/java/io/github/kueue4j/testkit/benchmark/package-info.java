// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** Measures the embedded server; run by hand, never as a test. */
@NullMarked
package io.github.kueue4j.testkit.benchmark;

import org.jspecify.annotations.NullMarked;
