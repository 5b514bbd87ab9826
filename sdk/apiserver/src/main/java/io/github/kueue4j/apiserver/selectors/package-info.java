// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Label and field selectors. */
@NullMarked
package io.github.kueue4j.apiserver.selectors;

import org.jspecify.annotations.NullMarked;
