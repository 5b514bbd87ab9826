// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** Threads, heap and recordings of the running process, to find out why it is slow or large. */
@NullMarked
package io.github.kueue4j.core.diagnostics;

import org.jspecify.annotations.NullMarked;
