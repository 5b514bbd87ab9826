// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Who tells what was spent: the ledger of the check itself, or Prometheus. */
@NullMarked
package io.github.kueue4j.budget.consumption;

import org.jspecify.annotations.NullMarked;
