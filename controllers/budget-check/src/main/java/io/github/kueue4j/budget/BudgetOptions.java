// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the budget check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param configMap the name of the ConfigMap with a namespace's budget
 * @param invalidBudgetDelay how long a workload waits while its namespace's budget is invalid;
 *     positive. Correcting the ConfigMap ends the wait at once
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetOptions(String controllerName, String configMap, Duration invalidBudgetDelay) {

  /** {@code kueue4j.io/budget}, {@code daily-budget}, five minutes. */
  public static BudgetOptions defaults() {
    return new BudgetOptions("kueue4j.io/budget", "daily-budget", Duration.ofMinutes(5));
  }
}
