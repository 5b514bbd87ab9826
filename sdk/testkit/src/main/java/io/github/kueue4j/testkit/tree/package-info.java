// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** Kubernetes objects as JSON trees. */
@NullMarked
package io.github.kueue4j.testkit.tree;

import org.jspecify.annotations.NullMarked;
