// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The conformance kit on the controllers of this repository. */
@NullMarked
package io.github.kueue4j.e2e.conformance;

import org.jspecify.annotations.NullMarked;
