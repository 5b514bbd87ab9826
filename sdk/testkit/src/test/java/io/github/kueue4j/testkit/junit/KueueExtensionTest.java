// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.KueueScript;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The extension's parameters, the closing of clusters, and the reports of failures. */
@ResourceLock("jqwik") // It runs once at a time, also where a run has no properties.
class KueueExtensionTest {

  @Nested
  @KueueTest
  class EachMethod {
    private static final Set<URI> SERVERS = java.util.concurrent.ConcurrentHashMap.newKeySet();
    private static final ConcurrentLinkedQueue<Path> FILES = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("NullAway.Init") // The extension fills it in.
    private KueueCluster cluster;

    @SuppressWarnings("NullAway.Init") // The extension fills it in.
    private KueueScript script;

    @Test
    void hasAClusterOfItsOwn(EmbeddedApiServer server, TimeSource time, ManualTime manual) {
      assertThat(cluster.server()).isSameAs(server);
      assertThat(cluster.script()).isSameAs(script);
      assertThat(cluster.time()).isSameAs(time).isSameAs(manual);
      useIt();
    }

    @Test
    void hasAnotherOne() {
      useIt();
    }

    private void useIt() {
      assertThat(SERVERS.add(cluster.uri())).isTrue();
      SERVERS.forEach(
          server -> {
            if (!server.equals(cluster.uri())) {
              assertThatCode(() -> JsonApi.at(server).get("/version"))
                  .isInstanceOf(UnreachableServerException.class);
            }
          });
      assertThat(FILES).allSatisfy(file -> assertThat(file).doesNotExist());
      FILES.add(cluster.kubeconfig());
      assertThat(Files.exists(cluster.kubeconfig())).isTrue();
      try (JsonApi api = JsonApi.of(cluster.kubeconfig())) {
        assertThat(api.get("/version")).isPresent();
      }
      script.workload("same-name");
    }
  }

  @Nested
  @KueueTest(lifetime = KueueTest.Lifetime.CLASS, virtualTime = false)
  @TestMethodOrder(MethodOrderer.MethodName.class)
  class WholeClass {
    @SuppressWarnings("NullAway.Init") // The extension fills it in.
    private static KueueCluster shared;

    @Test
    void findsWhatEarlierOnesLeft1() {
      shared.workload("left");
      assertThat(shared.time()).isNotInstanceOf(ManualTime.class);
    }

    @Test
    void findsWhatEarlierOnesLeft2(KueueCluster cluster) {
      assertThat(cluster).isSameAs(shared);
      assertThat(cluster.script().existing("left").read().metadata().getName()).isEqualTo("left");
    }

    @AfterAll
    static void stillOpen() {
      assertThat(shared.script().existing("left").read()).isNotNull();
    }
  }

  @Nested
  @KueueTest(start = "2026-03-29T00:59:00Z", patience = "50ms")
  class Settings {

    @Test
    void areThoseOfTheAnnotation(KueueCluster cluster, ManualTime time) {
      assertThat(time.instant()).isEqualTo(Instant.parse("2026-03-29T00:59:00Z"));
      assertThatThrownBy(() -> cluster.workload("job").await("more", workload -> false))
          .hasMessageContaining("waited 50ms in vain for more");
    }
  }

  /** Run only from the test below. */
  @KueueTest(start = "tomorrow")
  static class WrongStart extends Ill {}

  @KueueTest(start = "2026-03-29T00:59:00Z", virtualTime = false)
  static class StartOfRealTime extends Ill {}

  @KueueTest(patience = "-5s")
  static class NegativePatience extends Ill {}

  @KueueTest(patience = "a while")
  static class WrongPatience extends Ill {}

  @ExtendWith(OnlyWhenAsked.class)
  abstract static class Ill {
    @Test
    void neverRuns(KueueCluster cluster) {
      assertThat(cluster).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource
  void settingsThatMakeNoSenseAreRefused(Class<?> test, String complaint) {
    assertThat(failureOf(test)).hasMessageContaining(complaint);
  }

  static Stream<Arguments> settingsThatMakeNoSenseAreRefused() {
    return Stream.of(
        Arguments.of(WrongStart.class, "start of @KueueTest is \"tomorrow\"; use a date such as"),
        Arguments.of(StartOfRealTime.class, "the machine's clock can't be set"),
        Arguments.of(NegativePatience.class, "patience of @KueueTest is \"-5s\"; use a time"),
        Arguments.of(WrongPatience.class, "patience of @KueueTest is \"a while\"; use a time"));
  }

  /** Runs only from the test below. */
  @KueueTest
  @ExtendWith(OnlyWhenAsked.class)
  static class Failing {
    static final List<String> CLOSED = new ArrayList<>();

    @Test
    void fails(KueueCluster cluster) {
      cluster.run(() -> () -> CLOSED.add("first"));
      cluster.run(() -> () -> CLOSED.add("second"));
      cluster.workload("guilty").reserve();
      throw new AssertionError("on purpose");
    }
  }

  /** Skips classes that are found by a search for tests, and aren't run by the method below. */
  static final class OnlyWhenAsked implements ExecutionCondition {
    static final String ASKED = "kueue4j.asked";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return context.getConfigurationParameter(ASKED).isPresent()
          ? ConditionEvaluationResult.enabled("asked")
          : ConditionEvaluationResult.disabled("run only by a test that expects it to fail");
    }
  }

  private static Throwable failureOf(Class<?> test) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(test))
            .configurationParameter(OnlyWhenAsked.ASKED, "true")
            .build();
    LauncherFactory.create().execute(request, summary);
    return summary.getSummary().getFailures().getFirst().getException();
  }

  @Test
  void aFailureComesWithTheObjectsAndAllIsClosed() {
    Throwable failure = failureOf(Failing.class);

    assertThat(failure).hasMessage("on purpose");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0])
        .isInstanceOf(ClusterAtFailure.class)
        .hasMessageContaining("Workload guilty:")
        .hasMessageContaining("The last requests of controllers:");
    assertThat(Failing.CLOSED).containsExactly("second", "first");
  }
}
