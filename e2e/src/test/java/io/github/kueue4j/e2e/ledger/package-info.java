// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The ledgers of the budget check under load, against a recorder that the check knows nothing of.
 */
@NullMarked
package io.github.kueue4j.e2e.ledger;

import org.jspecify.annotations.NullMarked;
