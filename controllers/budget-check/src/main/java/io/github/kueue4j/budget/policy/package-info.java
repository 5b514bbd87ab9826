// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The objects that administrators and teams write: BudgetPolicies and Budgets, read as records, and
 * what they mean for one Workload. Functions of values.
 */
@NullMarked
package io.github.kueue4j.budget.policy;

import org.jspecify.annotations.NullMarked;
