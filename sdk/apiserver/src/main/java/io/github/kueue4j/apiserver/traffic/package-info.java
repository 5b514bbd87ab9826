// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Requests as the embedded server sees them: matching, counting and disturbing them. */
@NullMarked
package io.github.kueue4j.apiserver.traffic;

import org.jspecify.annotations.NullMarked;
