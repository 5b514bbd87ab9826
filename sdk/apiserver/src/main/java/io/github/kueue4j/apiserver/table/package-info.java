// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Objects as the rows of a table, for kubectl get. */
@NullMarked
package io.github.kueue4j.apiserver.table;

import org.jspecify.annotations.NullMarked;
