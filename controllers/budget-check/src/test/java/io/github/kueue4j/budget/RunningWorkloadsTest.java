// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.books.LedgerServer;
import io.github.kueue4j.budget.consumption.Consumption;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a failure between the warning and its note leaves behind. */
class RunningWorkloadsTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final LedgerName NAME = new LedgerName("daily", "team-a");
  private static final Terms TERMS = Terms.of(Window.daily(ZoneOffset.UTC), Amount.units(10));

  private final LedgerServer server = new LedgerServer();
  private final List<String> warnings = new ArrayList<>();
  private final Books books = new Books(server, (name, ledger, now) -> Optional.empty());

  @BeforeEach
  void exceed() throws InterruptedException {
    Reservation large =
        Reservation.of(
            new Reservation.Claimant("u", "w", new Payer("q", ""), ""),
            new Reservation.Charge(
                new Rate(BigInteger.valueOf(20_000_000)), Duration.ofHours(1), false, "", null),
            NOW);
    books.change(NAME, NOW, ledger -> Books.Outcome.atOnce(ledger.with(large), large));
  }

  @Test
  void oneThatCouldNotBeWarnedIsNotNotedToBeEvicted() {
    Created refuses = new Created(List.of());
    RunningWorkloads running = running(new WarningEvents(refuses));

    assertThatThrownBy(() -> running.recheck(evaluation(), TERMS))
        .isInstanceOf(UnsupportedOperationException.class);

    assertThat(own().overSince()).isNull();
  }

  @Test
  void itIsNotedOnceItWasWarned() throws InterruptedException {
    RunningWorkloads running = running((evaluation, kind, message) -> warnings.add(message));

    running.recheck(evaluation(), TERMS);
    running.recheck(evaluation(), TERMS);

    assertThat(warnings).hasSize(1);
    assertThat(own().overSince()).isEqualTo(NOW);
  }

  @Test
  void anEventHasANameThatNeedsNoReading() {
    Created resources = new Created(new ArrayList<>());

    new WarningEvents(resources)
        .warn(evaluation(), Warnings.Kind.BUDGET_EXCEEDED, "The budget is exceeded.");

    V1ObjectMeta event = resources.objects().getFirst().getMetadata();
    assertThat(event.getName()).isNull();
    assertThat(event.getGenerateName()).isEqualTo("budget-");
  }

  /** Only creates, as long as the list takes it. */
  private record Created(List<KubernetesObject> objects) implements ResourceClient {
    @Override
    public <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
      return type;
    }

    @Override
    public <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object) {
      objects.add(object);
      return object;
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> T patch(
        ResourceType<T> type, T seen, Map<String, ?> change) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> T patchStatus(
        ResourceType<T> type, T seen, Map<String, ?> status) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends KubernetesObject> boolean deleteUnchanged(ResourceType<T> type, T seen) {
      throw new UnsupportedOperationException();
    }
  }

  private RunningWorkloads running(Warnings to) {
    Agreements agreements =
        new Agreements(
            new Listed<>(List.of()),
            new Listed<>(List.of()),
            new Listed<>(List.of()),
            Consumption.ofLedger(),
            InstantSource.fixed(NOW));
    return new RunningWorkloads(agreements, books, to, 0, name -> {});
  }

  private Reservation own() {
    return Objects.requireNonNull(server.ledger(NAME).open().get("u"));
  }

  private static Evaluation<Policy> evaluation() {
    Workload workload = Workload.named("team-a", "w");
    workload.metadata().setUid("u");
    Map<String, Object> spec =
        Map.of(
            "limit", 10, "window", Map.of("type", "Daily"), "whileRunning", Map.of("evict", true));
    return new Evaluation<>(
        "budget",
        workload,
        List.of(),
        AdmissionCheckState.pending("budget", NOW).withState(CheckState.READY),
        Policy.of(CustomResource.of(Policy.POLICIES, new V1ObjectMeta().name("daily"), spec)),
        NOW,
        NOW.plusSeconds(30));
  }
}
