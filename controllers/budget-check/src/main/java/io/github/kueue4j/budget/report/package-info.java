// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The spending of a budget's payers, as a value. */
@NullMarked
package io.github.kueue4j.budget.report;

import org.jspecify.annotations.NullMarked;
