// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Objects of the cluster kept at hand. A program registers an {@link Informer} of each type that it
 * reads often with its {@link Informers}, asks its cache, and is told each {@link Change}; {@link
 * InformerHealth} says whether the cache can be trusted. Controllers watch these.
 */
@NullMarked
package io.github.kueue4j.runtime.informer;

import org.jspecify.annotations.NullMarked;
