// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.Quantity;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The {@code spec} of a Budget.
 *
 * @param policy the BudgetPolicy whose limit it changes
 * @param localQueue the LocalQueue that it holds for; absent: the namespace, or each LocalQueue
 *     without a Budget of its own where the policy's limit is per LocalQueue
 * @param limit the most that may be used in a window
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetSpec(String policy, Optional<String> localQueue, Quantity limit) {
  /** Checks the limit. */
  public BudgetSpec {
    BudgetPolicySpec.amount("limit", limit);
  }
}
