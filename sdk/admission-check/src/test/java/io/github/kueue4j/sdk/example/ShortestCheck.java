// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.program.CheckProgram;
import java.time.Duration;
import java.util.function.IntSupplier;

/** The check of the README. */
final class ShortestCheck {

  private ShortestCheck() {}

  // @start region=check
  static CheckController licenseCheck(CheckEnvironment environment, IntSupplier freeLicenses) {
    Backoff backoff = Backoff.exponential(Duration.ofSeconds(30), 2).atMost(Duration.ofMinutes(30));
    return CheckController.builder("example.com/license", environment)
        .check(
            evaluation ->
                freeLicenses.getAsInt() > 0
                    ? Verdict.ready("A license is free.")
                    : Verdict.retry(Reason.of("NoLicense"), "No license is free.", backoff))
        .build();
  }

  public static void main(String[] arguments) {
    CheckProgram.named("license-check", environment -> licenseCheck(environment, () -> 3))
        .runAndExit(arguments);
  }
  // @end region=check
}
