// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Objects in memory: one writer at a time, a global revision, a bounded history of changes. */
@NullMarked
package io.github.kueue4j.apiserver.store;

import org.jspecify.annotations.NullMarked;
