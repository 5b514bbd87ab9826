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
package io.github.kueue4j.e2e.assembly;

import io.github.kueue4j.budget.BudgetCheck;
import io.github.kueue4j.budget.BudgetOptions;
import io.github.kueue4j.gpu.GpuAvailabilityCheck;
import io.github.kueue4j.gpu.GpuOptions;
import io.github.kueue4j.provisioning.ProvisioningCheck;
import io.github.kueue4j.provisioning.ProvisioningOptions;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** The reference checks, by the names of the command line. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public enum CheckName {
  BUDGET("budget") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return BudgetCheck.controller(environment, BudgetOptions.defaults());
    }
  },
  GPU("gpu") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return GpuAvailabilityCheck.controller(environment, GpuOptions.defaults());
    }
  },
  PROVISIONING("provisioning") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return ProvisioningCheck.controller(environment, ProvisioningOptions.defaults());
    }
  };

  private final String word;

  CheckName(String word) {
    this.word = word;
  }

  /** The name on the command line, such as {@code gpu}. */
  public String word() {
    return word;
  }

  /** The check with this name, if there is one. */
  public static Optional<CheckName> of(String word) {
    return Arrays.stream(values()).filter(name -> name.word.equals(word)).findFirst();
  }

  /** All names, for messages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(CheckName::word).toList();
  }

  abstract CheckController controller(CheckEnvironment environment);
}
