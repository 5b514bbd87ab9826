// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The cost of Workloads, as values: amounts, windows of time, the ledger of one namespace and the
 * decision whether another Workload fits. No I/O, no clock, no locks.
 *
 * <pre>{@code
 * Ledger ledger = Ledger.empty().roll(terms, now);
 * Answer answer = ledger.reserve(reservation, terms, now);
 * }</pre>
 */
@NullMarked
package io.github.kueue4j.budget.ledger;

import org.jspecify.annotations.NullMarked;
