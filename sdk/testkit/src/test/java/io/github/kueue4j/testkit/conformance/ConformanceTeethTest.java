// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testkit.client.JsonApi;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One controller per rule that breaks just this one, and one that breaks none. */
@Tag("landing")
class ConformanceTeethTest {
  /** They wait most of the time. */
  private static final int AT_ONCE = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** All of them are begun at once, and most wait for their turn. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Map<Rule, Act<ConformanceReport>> REPORTS = new EnumMap<>(Rule.class);
  private static final Actors REFEREES = Actors.atMost(AT_ONCE, "referee");

  @BeforeAll
  static void tryAll() {
    for (Rule rule : Rule.values()) {
      REPORTS.put(rule, REFEREES.ask(() -> run(rule)));
    }
  }

  @AfterAll
  static void stop() {
    REFEREES.close();
  }

  private static ConformanceReport run(@Nullable Rule broken) {
    String name = "example.com/" + (broken == null ? "good" : broken.label());
    try (TimeSource time = TimeSource.system();
        EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        JsonApi api = JsonApi.at(server.uri());
        ControllerProxy proxy = ControllerProxy.before(api)) {
      Restartable controller = new Restartable(proxy, name, broken);
      controller.start();
      try {
        ConformanceReport report =
            Conformance.of(name, api, time, new Random(1))
                .proxy(proxy)
                .restart(controller)
                .patience(PATIENCE)
                .silence(controller.silence(api))
                .run();
        assertThat(api.get(KueueTypes.WORKLOAD.path()).orElseThrow().path("items")).isEmpty();
        assertThat(api.get(KueueTypes.ADMISSION_CHECK.path()).orElseThrow().path("items"))
            .isEmpty();
        return report;
      } finally {
        controller.stop();
      }
    }
  }

  private static final class Restartable implements Conformance.Restart {
    private final ControllerProxy proxy;
    private final String name;
    private final @Nullable Rule broken;
    private volatile @Nullable PlainController running;

    Restartable(ControllerProxy proxy, String name, @Nullable Rule broken) {
      this.proxy = proxy;
      this.name = name;
      this.broken = broken;
    }

    /** This controller can be asked, so nothing is waited for that won't come. */
    Silence silence(JsonApi api) {
      return new Silence() {
        @Override
        public void await(Duration quiet) {
          Awaitility.await().atMost(PATIENCE).until(this::isCertain);
        }

        @Override
        public boolean isCertain() {
          PlainController controller = running;
          return controller != null && controller.isIdle(api);
        }
      };
    }

    @Override
    public void stop() {
      PlainController controller = running;
      if (controller != null) {
        controller.close();
      }
    }

    @Override
    public void start() {
      running = new PlainController(proxy.uri(), name, broken);
    }
  }

  @Test
  void aControllerThatKeepsEveryRulePasses() {
    ConformanceReport report = run(null);

    assertThat(report.outcomes())
        .as(report.toText())
        .extracting(Outcome::verdict)
        .containsOnly(Outcome.Verdict.PASS);
    assertThat(report.toText()).contains("24 rules kept, 0 broken, 0 not tried");
    assertThat(report.toJson()).contains("\"conformant\" : true");
  }

  @ParameterizedTest
  @EnumSource
  void aControllerThatBreaksOneRuleFailsIt(Rule rule) {
    ConformanceReport report = Objects.requireNonNull(REPORTS.get(rule)).get(LONGEST);

    assertThat(report.broken()).as(report.toText()).containsExactly(rule);
    assertThat(report.toText()).contains("FAIL").contains(rule.demand()).contains(rule.remedy());
  }
}
