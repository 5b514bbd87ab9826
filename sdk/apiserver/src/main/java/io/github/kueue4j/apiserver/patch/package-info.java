// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** JSON patch, JSON merge patch and strategic merge patch as functions of trees. */
@NullMarked
package io.github.kueue4j.apiserver.patch;

import org.jspecify.annotations.NullMarked;
