// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Field managers: the owners of an object's fields, and server-side apply. */
@NullMarked
package io.github.kueue4j.apiserver.managed;

import org.jspecify.annotations.NullMarked;
