// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A check that keeps watching takes back a Ready about a Workload that runs. */
@Execution(ExecutionMode.CONCURRENT)
class RevocationTest {
  private static final String NAME = "example.com/watching";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Runs the kit without proxy; what the controller says after the withdrawal is said for it. */
  private static ConformanceReport run(String state) {
    return run(state, "");
  }

  /**
   * The same for a controller that takes its Ready back before the admission.
   *
   * @param early what it says then; nothing if empty
   */
  private static ConformanceReport run(String state, String early) {
    try (TimeSource time = TimeSource.system();
        EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        JsonApi api = JsonApi.at(server.uri());
        PlainController controller = new PlainController(server.uri(), NAME, null)) {
      Conformance kit = Conformance.of(NAME, api, time, new Random(1));
      if (early.isEmpty()) {
        kit.revocation(() -> say(api, state, "revoked"));
      }
      return kit.patience(PATIENCE)
          .silence(
              new Silence() {
                @Override
                public void await(Duration quiet) {
                  Awaitility.await().atMost(PATIENCE).until(this::isCertain);
                }

                @Override
                public boolean isCertain() {
                  return controller.isIdle(api);
                }
              })
          .progress(step -> say(api, step.equals("nothing changes") ? early : "", ""))
          .run();
    }
  }

  /** Takes back each Ready about Workloads whose names begin so. */
  private static void say(JsonApi api, String state, String prefix) {
    for (JsonNode item : api.get(KueueTypes.WORKLOAD.path()).orElseThrow().path("items")) {
      ObjectNode workload = (ObjectNode) item;
      if (!state.isEmpty()
          && Trees.name(workload).startsWith(prefix)
          && Trees.text(workload.path("status").path("admissionChecks").path(0), "state")
              .equals("Ready")) {
        ObjectNode patch = Trees.empty();
        ArrayNode entries = patch.putObject("status").putArray("admissionChecks");
        workload
            .path("status")
            .path("admissionChecks")
            .forEach(each -> entries.add(each.deepCopy()));
        ((ObjectNode) entries.get(0))
            .put("state", state)
            .put("message", "The license was revoked.")
            .put("lastTransitionTime", Trees.time(Clock.systemUTC().instant()));
        ObjectKey key = new ObjectKey(Trees.namespace(workload), Trees.name(workload));
        api.patch(KueueTypes.WORKLOAD.path(key) + "/status", PatchFormat.MERGE, patch);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"Retry", "Rejected"})
  void mayBeSaidByRetryOrRejected(String state) {
    ConformanceReport report = run(state);

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.of(Rule.ADMITTED_LEFT_ALONE).evidence())
        .startsWith("stayed Ready; and took it back after the withdrawal: revoked-")
        .contains("\"state\":\"" + state + "\"");
  }

  @Test
  void mayNotBeSaidByPending() {
    ConformanceReport report = run("Pending");

    assertThat(report.broken()).as(report.toText()).containsExactly(Rule.ADMITTED_LEFT_ALONE);
    assertThat(report.toText())
        .contains("Pending does not stop an admitted Workload")
        .contains("see:    docs/guides/admission-check-flow.md#keeping-watch-after-a-ready");
  }

  @Test
  void isWarnedOfBeforeTheAdmission() {
    ConformanceReport report = run("", "Retry");

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.skipped()).contains(Rule.ADMITTED_LEFT_ALONE);
    assertThat(report.toText()).contains("WARNING: it said Ready, then Retry before the admission");
  }

  @Test
  void neverComesFromACheckWhoseReadyIsFinal() {
    ConformanceReport report = run("");

    assertThat(report.broken()).as(report.toText()).isEmpty();
    assertThat(report.of(Rule.ADMITTED_LEFT_ALONE).evidence())
        .isEqualTo("stayed Ready; and stayed Ready after the withdrawal");
  }
}
