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
package io.github.kueue4j.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.testkit.EmbeddedApiServer;
import io.github.kueue4j.testkit.client.JsonApi;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One controller per rule that breaks just this one, and one that breaks none. */
class ConformanceTeethTest {
  /** They wait most of the time. */
  private static final int AT_ONCE = 8;

  /** What breaks these is seen only if it comes while the kit looks. */
  private static final Set<Rule> BROKEN_BY_A_WRITE =
      EnumSet.of(
          Rule.NOT_LISTED,
          Rule.NOT_RESERVED,
          Rule.EVICTING,
          Rule.FINISHED,
          Rule.INACTIVE,
          Rule.DELETING,
          Rule.NO_NEEDLESS_WRITES,
          Rule.ADMITTED_LEFT_ALONE);

  private static final Map<Rule, Future<ConformanceReport>> REPORTS = new EnumMap<>(Rule.class);
  private static final ExecutorService THREADS = Executors.newFixedThreadPool(AT_ONCE);

  @BeforeAll
  static void tryAll() {
    for (Rule rule : Rule.values()) {
      REPORTS.put(rule, THREADS.submit(() -> run(rule)));
    }
  }

  @AfterAll
  static void stop() {
    THREADS.shutdownNow();
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
        // What is never said is waited for in vain; everything else has all the time it needs.
        boolean waitsInVain =
            broken == Rule.ACTIVE
                || broken == Rule.ANSWERS
                || broken == Rule.ANSWERS_AGAIN
                || broken == Rule.RECOVERS
                || broken == Rule.RESTART;
        boolean looksLong = broken != null && BROKEN_BY_A_WRITE.contains(broken);
        ConformanceReport report =
            Conformance.of(name, api, time, new Random(1))
                .proxy(proxy)
                .restart(controller)
                .quiet(Duration.ofMillis(looksLong ? 5000 : 1000))
                .patience(Duration.ofSeconds(waitsInVain ? 45 : 90))
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
    private @Nullable PlainController running;

    Restartable(ControllerProxy proxy, String name, @Nullable Rule broken) {
      this.proxy = proxy;
      this.name = name;
      this.broken = broken;
    }

    @Override
    public void stop() {
      if (running != null) {
        running.close();
      }
    }

    @Override
    public void start() {
      running = new PlainController(proxy.uri(), name, broken);
    }
  }

  @Test
  void whoeverKeepsEveryRulePassesWhole() {
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
  void whoeverBreaksOneRuleFailsIt(Rule rule) throws ExecutionException, InterruptedException {
    ConformanceReport report = Objects.requireNonNull(REPORTS.get(rule)).get();

    assertThat(report.broken()).as(report.toText()).containsExactly(rule);
    assertThat(report.toText()).contains("FAIL").contains(rule.demand()).contains(rule.source());
  }
}
