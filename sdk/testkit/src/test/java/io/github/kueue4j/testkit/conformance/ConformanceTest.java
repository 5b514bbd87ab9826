// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.Watch;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of the kit in which some rules can't be tried, or none. */
class ConformanceTest {
  private static final String NAME = "example.com/plain";

  private EmbeddedApiServer server;
  private JsonApi api;
  private TimeSource time;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    api = JsonApi.at(server.uri());
    time = TimeSource.system();
  }

  @AfterEach
  void stop() {
    time.close();
    api.close();
    server.close();
  }

  private Conformance conformance() {
    return Conformance.of(NAME, api, time, new Random(1))
        .quiet(Duration.ofMillis(100))
        .patience(Duration.ofSeconds(60));
  }

  @Test
  void withoutProxyAndRestartItSaysWhatItCouldNotTry() {
    List<String> steps = new ArrayList<>();
    try (PlainController controller = new PlainController(server.uri(), NAME, null)) {
      assertThat(controller).isNotNull();
      ConformanceReport report = conformance().progress(steps::add).run();

      assertThat(report.broken()).isEmpty();
      assertThat(report.skipped())
          .containsExactly(
              Rule.RECOVERS,
              Rule.LATE_WRITE,
              Rule.OTHER_RESERVATION,
              Rule.CONCURRENT_WRITES,
              Rule.RESTART);
      assertThat(report.of(Rule.LATE_WRITE).evidence()).contains("proxy");
      assertThat(report.toText())
          .contains(
              "19 rules kept, 0 broken, 5 not tried: recovers, late-write, other-reservation,"
                  + " concurrent-writes, restart\n");
      assertThat(steps).contains("a Workload that is admitted", "cleaning up");
    }
  }

  @Test
  void aRunningCoreIsNoticed() {
    CountDownLatch acted = new CountDownLatch(1);
    // What a core does with a reservation in a queue that doesn't exist.
    try (Watch core =
            api.watch(
                KueueTypes.WORKLOAD.path(),
                "",
                event -> {
                  ObjectNode workload = Trees.object(event, "object");
                  if (workload.path("status").has("admission")) {
                    ObjectNode patch = Trees.empty();
                    patch.putObject("status").putNull("admission");
                    String path =
                        KueueTypes.WORKLOAD.path(
                            new ObjectKey(Trees.namespace(workload), Trees.name(workload)));
                    api.patch(path + "/status", PatchFormat.MERGE, patch);
                    acted.countDown();
                  }
                },
                () -> {});
        PlainController controller = new PlainController(server.uri(), NAME, null)) {
      assertThat(core).isNotNull();
      assertThat(controller).isNotNull();
      assertThatThrownBy(() -> conformance().silence(after(acted)).run())
          .isInstanceOf(ConformanceException.class)
          .hasMessageContaining("another core plays Kueue's part")
          .hasMessageContaining("stop the core");
    }
    assertNothingIsLeft();
  }

  /** Whatever the duration that the kit is told. */
  private static Silence after(CountDownLatch event) {
    return new Silence() {
      @Override
      public void await(Duration quiet) throws InterruptedException {
        assertThat(event.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }

      @Override
      public boolean isCertain() {
        return false;
      }
    };
  }

  @Test
  void aControllerThatCannotWorkIsNotJudged() {
    try (Watch controller =
        api.watch(
            KueueTypes.ADMISSION_CHECK.path(),
            "",
            event -> {
              ObjectNode check = Trees.object(event, "object");
              if (Trees.text(event, "type").equals("ADDED")
                  && check.path("spec").has("parameters")) {
                ObjectNode patch = Trees.empty();
                patch
                    .putObject("status")
                    .putArray("conditions")
                    .addObject()
                    .put("type", "Active")
                    .put("status", "False")
                    .put("reason", "BadParametersRef")
                    .put("message", "there is no Budget team")
                    .put("lastTransitionTime", "2026-01-01T00:00:00Z");
                String path = KueueTypes.ADMISSION_CHECK.path(ObjectKey.cluster(Trees.name(check)));
                api.patch(path + "/status", PatchFormat.MERGE, patch);
              }
            },
            () -> {})) {
      assertThat(controller).isNotNull();
      assertThatThrownBy(() -> conformance().parameters("example.com", "Budget", "team").run())
          .isInstanceOf(ConformanceException.class)
          .hasMessageContaining("there is no Budget team")
          .hasMessageContaining("name what it needs");
    }
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    for (String path :
        List.of(
            KueueTypes.WORKLOAD.path(),
            KueueTypes.ADMISSION_CHECK.path(),
            KueueTypes.RESOURCE_FLAVOR.path())) {
      assertThat(api.get(path).orElseThrow().path("items")).as(path).isEmpty();
    }
  }
}
