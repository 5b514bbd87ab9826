// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Clusters, scenarios and the assembly behind the launcher. */
@NullMarked
package io.github.kueue4j.e2e;

import org.jspecify.annotations.NullMarked;
