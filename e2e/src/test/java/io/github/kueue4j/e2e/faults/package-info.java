// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The fault matrix: what the core and the checks live through, one fault after the other. */
@NullMarked
package io.github.kueue4j.e2e.faults;

import org.jspecify.annotations.NullMarked;
