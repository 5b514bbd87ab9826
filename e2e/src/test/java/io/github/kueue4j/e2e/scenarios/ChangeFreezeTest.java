// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The example of docs/guides/policy-check.md, with the real core, in a freeze that ends. */
class ChangeFreezeTest {
  /** Two hours after the stage's start. */
  private static final Instant END = Instant.parse("2026-03-02T12:00:00Z");

  private static final Pattern FILE =
      Pattern.compile("<!-- file: (\\S+) -->\n```yaml\n(.*?)```", Pattern.DOTALL);

  /** By the attempt, what a Retry said. */
  private final Map<Integer, AdmissionCheckState> retries = new ConcurrentHashMap<>();

  @Test
  void aJobWaitsWithoutQuotaUntilTheFreezeIsOver() throws Exception {
    Map<String, String> files = files();
    String job = files.get("job.yaml");
    try (Stage stage =
        new Stage(
            Set.of(CheckName.POLICY),
            "{apiVersion: v1, kind: Namespace, metadata: {name: ml}}\n---\n"
                + files.get("rules.yaml")
                + "---\n"
                + files.get("queue.yaml"))) {
      stage.watchWorkloads(this::note);
      stage.create(job);
      stage.create(
          job.replace("name: simulation", "name: nobodys").replace("team: physics", "app: a"));

      stage.until("it is sent back", () -> !retries.isEmpty());
      stage.until(
          "its quota is free",
          () -> stage.jobs.workload("simulation").status().admission() == null);
      stage.until("one is refused", () -> stage.is("nobodys", WorkloadConditions.EVICTED));
      assertThat(stage.jobs.workload("nobodys").conditions().findTrue(WorkloadConditions.EVICTED))
          .hasValueSatisfying(
              evicted ->
                  assertThat(evicted.message())
                      .contains("Rule owner-label: Its pods have no label team."));
      stage.letTimePass(Duration.ofMinutes(1));
      stage.until("it runs", () -> stage.jobs.ready("simulation", 8));

      assertThat(
              stage.jobs.workload("simulation").conditions().changedAt(WorkloadConditions.ADMITTED))
          .hasValueSatisfying(admitted -> assertThat(admitted).isAfterOrEqualTo(END));
      assertThat(retries).containsOnlyKeys(0);
      assertThat(Objects.requireNonNull(retries.get(0)).message())
          .matches(
              "Rule change-freeze: Only urgent work starts in the change freeze. It can be let"
                  + " through from 2026-03-02 13:00 Europe/Berlin on. Asking again in [0-9minh ]+\\.");
    }
  }

  private void note(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      if (entry.is(CheckState.RETRY)) {
        retries.putIfAbsent(Objects.requireNonNullElse(entry.retryCount(), 0), entry);
      }
    }
  }

  private static Map<String, String> files() throws IOException {
    String page = Files.readString(Checkout.root().resolve("docs/guides/policy-check.md"));
    return FILE.matcher(page)
        .results()
        .collect(
            Collectors.toMap(
                file -> file.group(1),
                file ->
                    file.group(2)
                        .replace("namespace: default", "namespace: ml")
                        .replace("2026-12-20T00:00:00+01:00", "2026-03-01T00:00:00+01:00")
                        .replace("2027-01-04T08:00:00+01:00", END.toString())));
  }
}
