// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a step waits for a check that says that it can't work. */
class InactiveChecksTest {
  private static final String COMPLAINT =
      "the controller of the AdmissionCheck window says Active=False, ParametersNotFound: none";

  private final Map<String, ObjectNode> objects = new HashMap<>();
  private long nanos = 7;

  @Test
  void aLongPatienceGivesASlowControllerTime() {
    InactiveChecks checks = checks(Duration.ofSeconds(60));
    put("1", "False");
    assertThat(complaint(checks)).isEmpty();

    pass(Duration.ofMillis(5_900));
    assertThat(complaint(checks)).isEmpty();
    pass(Duration.ofMillis(100));
    assertThat(complaint(checks)).hasValue(COMPLAINT);
  }

  @Test
  void aShortPatienceLeavesTwoSeconds() {
    InactiveChecks checks = checks(Duration.ofSeconds(5));
    put("1", "False");
    complaint(checks);

    pass(Duration.ofMillis(1_900));
    assertThat(complaint(checks)).isEmpty();
    pass(Duration.ofMillis(100));
    assertThat(complaint(checks)).hasValue(COMPLAINT);
  }

  @Test
  void aChangeOfTheCheckBeginsTheTimeAnew() {
    InactiveChecks checks = checks(Duration.ofSeconds(20));
    put("1", "False");
    complaint(checks);
    pass(Duration.ofSeconds(1));

    put("2", "False");
    assertThat(complaint(checks)).isEmpty();
    pass(Duration.ofMillis(1_900));
    assertThat(complaint(checks)).isEmpty();
    put("3", "True");
    assertThat(complaint(checks)).isEmpty();
    pass(Duration.ofSeconds(5));
    put("4", "False");
    assertThat(complaint(checks)).isEmpty();
    pass(Duration.ofSeconds(2));
    assertThat(complaint(checks)).hasValue(COMPLAINT);
  }

  private InactiveChecks checks(Duration patience) {
    return new InactiveChecks(
        name -> Optional.ofNullable(objects.get(name)), patience, () -> nanos);
  }

  private static Optional<String> complaint(InactiveChecks checks) {
    return checks.complaint(List.of("window", "not-there"));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private void put(String version, String active) {
    ObjectNode check = Trees.empty();
    check.putObject("metadata").put("name", "window").put("resourceVersion", version);
    check
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Active")
        .put("status", active)
        .put("reason", "ParametersNotFound")
        .put("message", "none");
    objects.put("window", check);
  }
}
