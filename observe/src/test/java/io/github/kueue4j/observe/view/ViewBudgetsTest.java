// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When budgets are read for pages. */
class ViewBudgetsTest {
  private final EmbeddedApiServer server = EmbeddedApiServer.builder().start();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).open();
  private final Reader reader = new Reader();
  private final ViewBudgets budgets =
      new ViewBudgets(
          reader, connection.api(), () -> List.of("a", "b"), () -> reader.now, () -> reader.now);

  /** A reader that counts. */
  private static final class Reader implements BudgetReader {
    private final List<Collection<String>> reads = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-05T00:00:00Z");
    private int looks;
    private @Nullable KubernetesApiException failure;

    @Override
    public boolean hasAny(KubernetesApi api) {
      looks++;
      return true;
    }

    @Override
    public List<ShownBudget> read(KubernetesApi api, Collection<String> namespaces, Instant now) {
      reads.add(List.copyOf(namespaces));
      if (failure != null) {
        throw failure;
      }
      return List.of();
    }
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  @Test
  void theyAreReadOnceInHalfAMinuteForAllAndForEachNamespace() {
    budgets.of("");
    budgets.of("");
    budgets.of("a");
    reader.now = reader.now.plus(Duration.ofSeconds(29));
    budgets.of("");
    assertThat(reader.reads).containsExactly(List.of("a", "b"), List.of("a"));

    reader.now = reader.now.plus(Duration.ofSeconds(1));
    assertThat(budgets.of("").time()).isEqualTo(reader.now);
    assertThat(reader.reads).hasSize(3);
  }

  @Test
  void whatCannotBeReadIsSaidAndTriedAgainAsSeldom() {
    reader.failure = new KubernetesApiException.Forbidden("no right", null);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> budgets.of(""))
          .isInstanceOf(ViewProblem.class)
          .hasMessageContaining("could not read the budgets")
          .hasMessageContaining("the chart gives it that right");
    }
    assertThat(reader.reads).hasSize(1);

    reader.failure = null;
    reader.now = reader.now.plus(ViewBudgets.SERVES);
    assertThat(budgets.of("").budgets()).isEmpty();
  }

  @Test
  void whetherThereAreAnyIsAskedSeldom() {
    assertThat(budgets.offer().offered()).isTrue();
    reader.now = reader.now.plus(ViewBudgets.OFFERED.minusSeconds(1));
    budgets.offer();
    assertThat(reader.looks).isEqualTo(1);

    reader.now = reader.now.plusSeconds(1);
    budgets.offer();
    assertThat(reader.looks).isEqualTo(2);
    assertThat(reader.reads).isEmpty();
  }
}
