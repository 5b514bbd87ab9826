// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The past usage of queues, for admission fair sharing (KEP-4136): values and bookkeeping without a
 * clock. Usage is integrated over the time that has elapsed, so neither the sampling interval nor a
 * restart changes the result.
 */
@NullMarked
package io.github.kueue4j.core.usage;

import org.jspecify.annotations.NullMarked;
