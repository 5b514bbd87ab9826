// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.approvalcheck.ApprovalCheckSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which AdmissionCheck a decision is for. */
class ApprovalChecksTest {
  private static final ApprovalChecks CHECKS =
      new ApprovalChecks(
          Map.of("guests", ApprovalCheckSpec.defaults(), "large", ApprovalCheckSpec.defaults()));

  private static Workload asking(String... checks) {
    Workload named = Workload.named("ml", "w");
    return named.withStatus(
        named
            .status()
            .withAdmissionChecks(
                Stream.of(checks)
                    .map(check -> AdmissionCheckState.pending(check, Instant.EPOCH))
                    .toList()));
  }

  @Test
  void ofSeveralTheOneThatIsUndecidedIsMeant() {
    Workload asking = asking("budget", "guests", "large");

    assertThat(CHECKS.choose(asking, Optional.empty(), "large"::equals)).isEqualTo("large");
    assertThatThrownBy(() -> CHECKS.choose(asking, Optional.empty(), check -> true))
        .hasMessage("ml/w waits for guests, large; name one by --check");
  }

  /** That it was decided already is what the command says then. */
  @Test
  void aSingleOneIsMeantAlsoIfItIsDecided() {
    assertThat(CHECKS.choose(asking("large"), Optional.empty(), check -> false)).isEqualTo("large");
  }

  @Test
  void theOneThatIsNamedIsOneOfTheWorkload() {
    assertThat(CHECKS.choose(asking(), Optional.of("guests"), check -> true)).isEqualTo("guests");
    assertThatThrownBy(() -> CHECKS.choose(asking("large"), Optional.of("guests"), check -> true))
        .hasMessage("ml/w doesn't wait for 'guests': its checks are large");
  }

  @Test
  void oneOfAnotherControllerNameIsKnownByItsParameters() {
    assertThatThrownBy(
            () ->
                new ApprovalChecks(Map.of())
                    .choose(asking("large"), Optional.of("large"), check -> true))
        .hasMessageContaining("with an ApprovalCheck as its parameters");
  }
}
