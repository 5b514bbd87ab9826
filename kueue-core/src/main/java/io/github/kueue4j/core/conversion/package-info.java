// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * Conversion of {@code kueue.x-k8s.io} objects between served versions, as pure functions of their
 * JSON. Unknown fields are kept.
 */
@NullMarked
package io.github.kueue4j.core.conversion;

import org.jspecify.annotations.NullMarked;
