// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** How the parts of an object are owned and merged: what has an owner of its own, what is whole. */
@NullMarked
package io.github.kueue4j.apiserver.shape;

import org.jspecify.annotations.NullMarked;
