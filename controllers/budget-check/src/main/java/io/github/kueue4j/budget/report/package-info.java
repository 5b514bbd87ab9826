// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Who has used what of a budget, as a value. */
@NullMarked
package io.github.kueue4j.budget.report;

import org.jspecify.annotations.NullMarked;
