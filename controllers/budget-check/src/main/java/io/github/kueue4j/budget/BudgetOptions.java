/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.budget;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How the budget check runs.
 *
 * @param controllerName what AdmissionChecks name as their controller
 * @param configMap the name of the ConfigMap with a namespace's budget
 * @param invalidBudgetDelay how long a workload waits while its namespace's budget makes no sense;
 *     positive. Mending the ConfigMap ends the wait at once
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetOptions(String controllerName, String configMap, Duration invalidBudgetDelay) {

  /** {@code kueue4j.io/budget}, {@code daily-budget}, five minutes. */
  public static BudgetOptions defaults() {
    return new BudgetOptions("kueue4j.io/budget", "daily-budget", Duration.ofMinutes(5));
  }

  /** The same options with another controller name. */
  public BudgetOptions withControllerName(String other) {
    return new BudgetOptions(other, configMap, invalidBudgetDelay);
  }
}
