// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** JSON object trees: reading and editing without changing what is shared. */
@NullMarked
package io.github.kueue4j.apiserver.tree;

import org.jspecify.annotations.NullMarked;
