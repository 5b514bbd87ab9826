// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** How the tests of all modules run in one JVM. */
@ResourceLock("jqwik") // It runs once at a time, also where a run has no properties.
class TogetherEngineTest {
  private static final List<String> RUN = new CopyOnWriteArrayList<>();

  /** That of the test that runs; seen by what it runs. */
  private static @Nullable Launcher launcher;

  /** Waits for connections, as its file says. */
  static class Waits {
    @Test
    void test() throws IOException {
      try (ServerSocket port = new ServerSocket(0)) {
        RUN.add("real " + (port.getLocalPort() > 0));
      }
    }

    @Test
    void runsTests() {
      RUN.add(
          "inner " + requireNonNull(launcher).discover(request(Simulates.class)).containsTests());
    }
  }

  /** Of the lane of tests that only compute. */
  @Tag("simulates")
  static class Simulates {
    @Test
    void test() {
      RUN.add("pure");
    }

    @Test
    @Tag("nightly")
    void atNight() {
      RUN.add("nightly");
    }
  }

  /** Of another engine, and of the first lane. */
  @ArchTag("simulates")
  @AnalyzeClasses(packagesOf = TogetherEngine.class)
  static class Rules {
    @ArchTest
    static void rule(JavaClasses classes) {
      RUN.add("rule " + classes.contain(TogetherEngine.class));
    }
  }

  /** Would be left out in silence. */
  static class Malformed {
    @Test
    private void test() {
      RUN.add("malformed");
    }
  }

  @Test
  void theFirstLaneEndsBeforeTheSecondBegins() {
    TestExecutionSummary summary = run("nightly", "all", Waits.class, Simulates.class, Rules.class);

    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(4);
    assertThat(RUN).containsExactlyInAnyOrder("rule true", "pure", "real true", "inner false");
    assertThat(RUN.subList(2, 4)).containsExactlyInAnyOrder("real true", "inner false");
  }

  @Test
  void oneLaneRunsAlone() {
    run("nightly", "pure", Waits.class, Simulates.class);

    assertThat(RUN).containsExactly("pure");
  }

  @Test
  void aBuildThatDoesNotAskForItRunsNothingTwice() {
    run(null, "all", Waits.class, Simulates.class, Rules.class);

    assertThat(RUN).isEmpty();
  }

  /** Others can't be kept from it. */
  @Isolated("for the test of the rule")
  @Tag("simulates")
  static class Alone {
    @Test
    void test() {
      RUN.add("alone");
    }
  }

  @Test
  void noneOfTheFirstLaneRunsAloneAndTheRulesBesideItEnd() {
    TestExecutionSummary summary = run("nightly", "all", Alone.class, Rules.class);

    assertThat(failure(summary))
        .hasStackTraceContaining("can't be @Isolated: [TogetherEngineTest$Alone]");
    assertThat(RUN).containsExactly("rule true");
  }

  @Test
  void aClassThatCannotBeLoadedFailsTheRun() {
    TestExecutionSummary summary =
        run("nightly", "all", request(selectClass("io.github.kueue4j.NoSuchTest")));

    assertThat(failure(summary)).hasStackTraceContaining("io.github.kueue4j.NoSuchTest");
  }

  @Test
  void aMethodThatIsNoTestFailsTheRun() {
    TestExecutionSummary summary = run("nightly", "all", Malformed.class);

    assertThat(failure(summary)).hasStackTraceContaining("Malformed.test()");
  }

  private static Throwable failure(TestExecutionSummary summary) {
    assertThat(summary.getFailures()).hasSize(1);
    return summary.getFailures().getFirst().getException();
  }

  private static TestExecutionSummary run(
      @Nullable String leftOut, String lane, Class<?>... classes) {
    return run(leftOut, lane, request(classes));
  }

  private static TestExecutionSummary run(
      @Nullable String leftOut, String lane, LauncherDiscoveryRequest request) {
    RUN.clear();
    launcher =
        LauncherFactory.create(
            LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false) // this build's lane
                .addTestEngines(TogetherEngine.inner(leftOut, lane))
                .build());
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    launcher.execute(request, summary);
    return summary.getSummary();
  }

  private static LauncherDiscoveryRequest request(Class<?>... classes) {
    return request(
        Stream.of(classes).map(type -> selectClass(type)).toArray(DiscoverySelector[]::new));
  }

  private static LauncherDiscoveryRequest request(DiscoverySelector... selectors) {
    return LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
  }
}
