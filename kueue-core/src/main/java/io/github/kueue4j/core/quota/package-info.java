// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Amounts of resources and the quota that limits them, as immutable values in whole units (cpu in
 * thousandths). Arithmetic saturates: too large a quantity counts as unlimited and never overflows
 * to a negative number.
 */
@NullMarked
package io.github.kueue4j.core.quota;

import org.jspecify.annotations.NullMarked;
