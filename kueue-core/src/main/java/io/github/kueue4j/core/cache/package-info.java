// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Caches of the cluster's objects: informers, and the results of this process's own writes. */
@NullMarked
package io.github.kueue4j.core.cache;

import org.jspecify.annotations.NullMarked;
