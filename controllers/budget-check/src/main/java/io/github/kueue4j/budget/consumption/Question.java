// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import io.github.kueue4j.budget.policy.ConsumptionSpec;
import java.time.Instant;

/**
 * The question that is put to a server: how much was spent in the present window.
 *
 * @param queue the LocalQueue; empty: the namespace as a whole
 * @param start of the window
 */
record Question(ConsumptionSpec spec, String namespace, String queue, Instant start, Instant now) {}
