// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.program.CheckProgram;
import java.time.Duration;
import java.util.function.IntSupplier;

/** The first check of the guide: workloads need a licence of a third party's server. */
// @start region=check
public final class LicenseCheck implements Check<NoParameters> {
  private static final Reason NO_LICENSE = Reason.of("NoLicense");
  private static final Backoff BACKOFF =
      Backoff.exponential(Duration.ofSeconds(30), 2).atMost(Duration.ofMinutes(30));

  private final IntSupplier freeLicenses;

  public LicenseCheck(IntSupplier freeLicenses) {
    this.freeLicenses = freeLicenses;
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    int free = freeLicenses.getAsInt();
    return free > 0
        ? Verdict.ready(free + " licenses are free.")
        : Verdict.retry(NO_LICENSE, "No license is free.", BACKOFF);
  }

  static CheckController controller(CheckEnvironment environment) {
    return CheckController.builder("example.com/license", environment)
        .check(new LicenseCheck(() -> 3))
        .build();
  }

  public static void main(String[] arguments) {
    CheckProgram.named("license-check", LicenseCheck::controller).runAndExit(arguments);
  }
}
// @end region=check
