// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Structural schemas of custom resources: pruning, defaulting, validation and CEL rules. */
@NullMarked
package io.github.kueue4j.apiserver.schema;

import org.jspecify.annotations.NullMarked;
