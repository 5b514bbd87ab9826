// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * Moving a cluster from another core to this one and back: what stands in the way, and the rewrite
 * of what is stored in an older version.
 */
@NullMarked
package io.github.kueue4j.cli.migrate;

import org.jspecify.annotations.NullMarked;
