// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Where ledgers are kept: one BudgetLedger for each namespace with a budget. {@link
 * io.github.kueue4j.budget.books.Books} is the only writer.
 */
@NullMarked
package io.github.kueue4j.budget.books;

import org.jspecify.annotations.NullMarked;
