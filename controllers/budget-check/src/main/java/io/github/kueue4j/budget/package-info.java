// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * A check that lets Workloads through as long as their namespace, or their LocalQueue, has budget
 * left.
 *
 * <p>The limits stand in a BudgetPolicy of the administrators, which the AdmissionCheck names. What
 * a Workload is expected to cost, prices × requests × runtime, is reserved in a BudgetLedger before
 * the Ready is written; what ran is spent, and the rest is given back when the Workload ends
 * ({@code docs/guides/budget-check.md}, {@code docs/adr/0012-where-a-budget-is-kept.md}).
 */
@NullMarked
package io.github.kueue4j.budget;

import org.jspecify.annotations.NullMarked;
