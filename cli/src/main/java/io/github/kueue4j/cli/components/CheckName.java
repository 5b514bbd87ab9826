// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.budget.BudgetCheck;
import io.github.kueue4j.budget.BudgetOptions;
import io.github.kueue4j.gpu.GpuAvailabilityCheck;
import io.github.kueue4j.gpu.GpuOptions;
import io.github.kueue4j.provisioning.ProvisioningCheck;
import io.github.kueue4j.provisioning.ProvisioningOptions;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.github.kueue4j.sdk.program.CheckProgram;
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

  /** The process that runs this check alone. */
  public CheckProgram program() {
    return CheckProgram.named(word + "-check", this::controller).lease("kueue4j-check-" + word);
  }

  abstract CheckController controller(CheckEnvironment environment);
}
