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
package io.github.kueue4j.sdk.example;

import io.github.kueue4j.sdk.AdmissionCheck;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

/** An example of the guide. */
// region scan
public final class SecurityScanCheck implements AdmissionCheck<NoParameters> {
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
// endregion scan
