// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The sources of consumption: the ledger of the check itself, Prometheus, or a service of the
 * administrator's.
 */
@NullMarked
package io.github.kueue4j.budget.consumption;

import org.jspecify.annotations.NullMarked;
