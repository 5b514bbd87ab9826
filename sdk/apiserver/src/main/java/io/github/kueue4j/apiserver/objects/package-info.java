// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The verbs of the API on stored objects. */
@NullMarked
package io.github.kueue4j.apiserver.objects;

import org.jspecify.annotations.NullMarked;
