// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Keeps objects from disappearing while they are in use. */
@NullMarked
package io.github.kueue4j.core.finalizer;

import org.jspecify.annotations.NullMarked;
