// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

/** An example of the guide. */
// @start region=scan
public final class SecurityScanCheck implements Check<NoParameters> {
  /** What the scanner knows of an image. */
  public enum Finding {
    CLEAN,
    VULNERABLE,
    NOT_SCANNED_YET
  }

  private static final Backoff A_SCAN = Backoff.fixed(Duration.ofMinutes(5));

  private final Function<String, Finding> scanner;

  public SecurityScanCheck(Function<String, Finding> scanner) {
    this.scanner = scanner;
  }

  @Override
  public Verdict evaluate(Evaluation<NoParameters> evaluation) {
    boolean waiting = false;
    for (String image : images(evaluation).toList()) {
      switch (scanner.apply(image)) {
        case CLEAN -> {}
        case VULNERABLE -> {
          return Verdict.rejected(Reason.of("Vulnerable"), "Rebuild " + image + ".");
        }
        case NOT_SCANNED_YET -> waiting = true;
      }
    }
    return waiting
        ? Verdict.retry(Reason.of("NotScanned"), "A scan takes five minutes.", A_SCAN)
        : Verdict.ready("All images are clean.");
  }

  private static Stream<String> images(Evaluation<?> evaluation) {
    return evaluation.podSets().stream()
        .flatMap(podSet -> podSet.template().getSpec().getContainers().stream())
        .map(container -> container.getImage())
        .distinct();
  }
}
// @end region=scan
