// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Deletion that follows from deletion: owners, namespaces, CustomResourceDefinitions. */
@NullMarked
package io.github.kueue4j.apiserver.gc;

import org.jspecify.annotations.NullMarked;
