// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The extension's parameters, the closing of clusters, and the reports of failures. */
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

  /** Runs only from the test below. */
  @KueueTest
  static class Failing {
    static final String SWITCH = "kueue4j.test.failing";
    static final List<String> CLOSED = new ArrayList<>();

    @Test
    void fails(KueueCluster cluster) {
      if (System.getProperty(SWITCH) != null) {
        cluster.run(() -> () -> CLOSED.add("first"));
        cluster.run(() -> () -> CLOSED.add("second"));
        cluster.workload("guilty").reserve();
        throw new AssertionError("on purpose");
      }
    }
  }

  @Test
  void aFailureComesWithTheObjectsAndAllIsClosed() {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Failing.class)).build();
    System.setProperty(Failing.SWITCH, "on");
    try {
      LauncherFactory.create().execute(request, summary);
    } finally {
      System.clearProperty(Failing.SWITCH);
    }

    Throwable failure = summary.getSummary().getFailures().getFirst().getException();
    assertThat(failure).hasMessage("on purpose");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0])
        .isInstanceOf(ClusterAtFailure.class)
        .hasMessageContaining("Workload guilty:")
        .hasMessageContaining("The last requests of controllers:");
    assertThat(Failing.CLOSED).containsExactly("second", "first");
  }
}
