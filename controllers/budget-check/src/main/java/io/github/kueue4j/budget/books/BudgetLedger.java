// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.books;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Payer;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.policy.Policy;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A ledger as an object of the API. Only this controller writes it, and always as a whole, with the
 * resourceVersion that it has read.
 *
 * @param metadata its name is that of {@link LedgerName}
 * @param spec whose ledger it is
 * @param status what is in it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BudgetLedger(
    String apiVersion, String kind, V1ObjectMeta metadata, Whose spec, Kept status)
    implements KubernetesObject {

  /** The kind. */
  public static final ResourceType<BudgetLedger> TYPE =
      ResourceType.of("checks.kueue4j.io/v1alpha1", "BudgetLedger", BudgetLedger.class)
          .clusterScoped();

  /** The policy and namespace of the ledger, for people. */
  record Whose(String policy, String namespace) {}

  /**
   * The ledger, with amounts in ticks.
   *
   * @param settled what limits: one for each slot and LocalQueue
   * @param users which users of that there were: a check of an earlier version leaves it as it is
   */
  record Kept(
      @Nullable Instant since,
      @Nullable String carried,
      List<Settled> settled,
      List<Settled> users,
      List<Settled> past,
      List<Open> open,
      long settlements,
      Summary summary) {
    Kept {
      settled = settled == null ? List.of() : List.copyOf(settled);
      users = users == null ? List.of() : List.copyOf(users);
      past = past == null ? List.of() : List.copyOf(past);
      open = open == null ? List.of() : List.copyOf(open);
      summary = summary == null ? Summary.none() : summary;
    }
  }

  /** The amount that was spent in one slot of one LocalQueue; by one user, if there is one. */
  record Settled(Instant from, String queue, String ticks, @Nullable String user) {}

  /** The amounts that aren't settled. */
  record Open(
      String uid,
      String workload,
      String queue,
      Instant attempt,
      Instant at,
      String microsPerHour,
      long seconds,
      int past,
      @Nullable Instant startedAt,
      @Nullable Instant overSince,
      @Nullable String held,
      @Nullable Instant chargedFrom,
      @Nullable Boolean limited,
      @Nullable String user,
      @Nullable String check) {}

  /** Nothing of it may be absent. */
  public BudgetLedger {
    apiVersion = Policy.API_VERSION;
    kind = "BudgetLedger";
    status = status == null ? none() : status;
  }

  /** A new one, not yet on the server. */
  static BudgetLedger empty(LedgerName name) {
    return new BudgetLedger(
        "",
        "",
        new V1ObjectMeta().name(name.key().name()),
        new Whose(name.policy(), name.namespace()),
        none());
  }

  private static Kept none() {
    return new Kept(null, null, List.of(), List.of(), List.of(), List.of(), 0, Summary.none());
  }

  /** The most bytes that a ledger may {@link #growTo} with a new reservation. */
  public static final int MOST_BYTES = 1_400_000;

  /** The most bytes with what is kept for accounts: etcd takes 1.5 MiB. */
  private static final int MOST_BYTES_STORED = 1_500_000;

  private static final int BYTES_OF_OPEN = 155;
  private static final int BYTES_OF_TIME = 36;
  private static final int BYTES_OF_HELD = 10;
  private static final int BYTES_OF_LIMITED = 15;
  private static final int BYTES_OF_CHECK = 11;
  private static final int BYTES_OF_SETTLED = 60;
  private static final int BYTES_OF_USER = 10;
  private static final int BYTES_OF_REST = 600;

  /** About how many bytes a ledger takes as JSON, never less than it does. */
  public static int size(Ledger ledger) {
    long users = 0;
    for (Reservation one : ledger.open().values()) {
      users += bytesOfUser(one.user());
    }
    return Math.toIntExact(
        sizeOfLimits(ledger) + users + size(ledger.spent(), true) + size(ledger.past(), false));
  }

  /** How many of them what limits may take, once all Workloads run and are beyond the limit. */
  public static long growTo(Ledger ledger) {
    long size = sizeOfLimits(ledger);
    for (Reservation one : ledger.open().values()) {
      size +=
          (one.startedAt() == null ? BYTES_OF_TIME : 0)
              + (one.overSince() == null ? BYTES_OF_TIME : 0);
    }
    return size;
  }

  /** The same, as far as one object takes it: accounts give way to what limits. */
  static Ledger fitting(Ledger ledger) {
    Ledger fit = ledger;
    while (size(fit) > MOST_BYTES_STORED && !fit.past().isEmpty()) {
      fit = fit.withHalfOfThePast();
    }
    return size(fit) > MOST_BYTES_STORED ? fit.withoutUsers() : fit;
  }

  /** How many bytes are those without accounts. */
  static long sizeOfLimits(Ledger ledger) {
    long size = BYTES_OF_REST;
    for (Reservation one : ledger.open().values()) {
      size +=
          BYTES_OF_OPEN
              + one.uid().length()
              + one.workload().length()
              + one.queue().length()
              + digits(one.rate().micros())
              + (one.startedAt() == null ? 0 : BYTES_OF_TIME)
              + (one.overSince() == null ? 0 : BYTES_OF_TIME)
              + (one.charge().held().isEmpty() ? 0 : BYTES_OF_HELD + one.charge().held().length())
              + (one.charge().from() == null ? 0 : BYTES_OF_TIME + 2)
              + (one.charge().limited() ? BYTES_OF_LIMITED : 0)
              + (one.claimant().check().isEmpty()
                  ? 0
                  : BYTES_OF_CHECK + one.claimant().check().length());
    }
    return size + size(byQueue(ledger.spent()), false);
  }

  private static long size(Map<Instant, Map<Payer, Amount>> sums, boolean namedOnly) {
    long size = 0;
    for (Map<Payer, Amount> slot : sums.values()) {
      for (Map.Entry<Payer, Amount> one : slot.entrySet()) {
        Payer payer = one.getKey();
        if (!namedOnly || !payer.user().isEmpty()) {
          size +=
              BYTES_OF_SETTLED
                  + payer.queue().length()
                  + bytesOfUser(payer.user())
                  + digits(one.getValue().ticks());
        }
      }
    }
    return size;
  }

  private static int bytesOfUser(String user) {
    return user.isEmpty() ? 0 : BYTES_OF_USER + user.length();
  }

  /** As many as there are, or one more. */
  private static int digits(BigInteger number) {
    return number.bitLength() * 31 / 100 + 1;
  }

  /** How often the object was changed, counted by the server. */
  long generation() {
    return Objects.requireNonNullElse(metadata.getGeneration(), 0L);
  }

  /** When something was booked for the first time; the epoch if that isn't known. */
  public Instant created() {
    return Optional.ofNullable(metadata.getCreationTimestamp())
        .map(OffsetDateTime::toInstant)
        .orElse(Instant.EPOCH);
  }

  /** How often something was settled. */
  public long settlements() {
    return status.settlements();
  }

  /** What people see. */
  public Summary summary() {
    return status.summary();
  }

  /** The ledger in it. */
  public Ledger ledger() {
    Map<String, Reservation> open = new HashMap<>();
    for (Open one : status.open()) {
      open.put(
          one.uid(),
          new Reservation(
              new Reservation.Claimant(
                  one.uid(),
                  one.workload(),
                  new Payer(
                      Objects.requireNonNullElse(one.queue(), ""),
                      Objects.requireNonNullElse(one.user(), "")),
                  Objects.requireNonNullElse(one.check(), "")),
              new Reservation.Charge(
                  new Rate(new BigInteger(one.microsPerHour())),
                  Duration.ofSeconds(one.seconds()),
                  Boolean.TRUE.equals(one.limited()),
                  Objects.requireNonNullElse(one.held(), ""),
                  one.chargedFrom()),
              one.attempt(),
              one.at(),
              one.past(),
              one.startedAt(),
              one.overSince()));
    }
    return new Ledger(
        Objects.requireNonNullElse(status.since(), Instant.EPOCH),
        amount(status.carried()),
        spent(),
        sums(status.past()),
        open,
        status.settlements());
  }

  /**
   * What users don't have of a LocalQueue's sum has none of them. A check of an earlier version may
   * have changed the sums only: users that have more than these are dropped.
   */
  private SortedMap<Instant, Map<Payer, Amount>> spent() {
    SortedMap<Instant, Map<Payer, Amount>> sums = sums(status.settled());
    SortedMap<Instant, Map<Payer, Amount>> users = sums(status.users());
    SortedMap<Instant, Map<Payer, Amount>> ofUsers = byQueue(users);
    sums.forEach(
        (from, slot) -> {
          Map<Payer, Amount> settled = Map.copyOf(slot);
          users
              .getOrDefault(from, Map.of())
              .forEach(
                  (payer, sum) -> {
                    Payer all = ofNoUser(payer);
                    Amount most = settled.getOrDefault(all, Amount.ZERO);
                    if (!payer.equals(all)
                        && !ofUsers
                            .getOrDefault(from, Map.of())
                            .getOrDefault(all, Amount.ZERO)
                            .exceeds(most)) {
                      slot.put(payer, sum);
                      slot.computeIfPresent(
                          all, (same, rest) -> rest.equals(sum) ? null : rest.minus(sum));
                    }
                  });
        });
    return sums;
  }

  private static Payer ofNoUser(Payer payer) {
    return new Payer(payer.queue(), "");
  }

  private static SortedMap<Instant, Map<Payer, Amount>> byQueue(
      Map<Instant, Map<Payer, Amount>> sums) {
    TreeMap<Instant, Map<Payer, Amount>> byQueue = new TreeMap<>();
    sums.forEach(
        (from, slot) -> {
          Map<Payer, Amount> queues = new HashMap<>();
          slot.forEach((payer, sum) -> queues.merge(ofNoUser(payer), sum, Amount::plus));
          byQueue.put(from, queues);
        });
    return byQueue;
  }

  private static SortedMap<Instant, Map<Payer, Amount>> sums(List<Settled> settled) {
    TreeMap<Instant, Map<Payer, Amount>> sums = new TreeMap<>();
    for (Settled one : settled) {
      sums.computeIfAbsent(one.from(), from -> new HashMap<>())
          .merge(
              new Payer(
                  Objects.requireNonNullElse(one.queue(), ""),
                  Objects.requireNonNullElse(one.user(), "")),
              amount(one.ticks()),
              Amount::plus);
    }
    return sums;
  }

  private static List<Settled> settled(Map<Instant, Map<Payer, Amount>> sums) {
    List<Settled> settled = new ArrayList<>();
    sums.forEach(
        (from, slot) ->
            slot.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(
                    one ->
                        settled.add(
                            new Settled(
                                from,
                                one.getKey().queue(),
                                one.getValue().ticks().toString(),
                                one.getKey().user().isEmpty() ? null : one.getKey().user()))));
    return settled;
  }

  private static Amount amount(@Nullable String ticks) {
    return ticks == null ? Amount.ZERO : new Amount(new BigInteger(ticks));
  }

  /** The same object with this ledger in it. */
  BudgetLedger with(Ledger ledger, Summary summary) {
    List<Open> open =
        ledger.open().values().stream()
            .sorted(Comparator.comparing(Reservation::at).thenComparing(Reservation::uid))
            .map(BudgetLedger::open)
            .toList();
    return new BudgetLedger(
        apiVersion,
        kind,
        metadata,
        spec,
        new Kept(
            ledger.since(),
            ledger.carried().ticks().toString(),
            settled(byQueue(ledger.spent())),
            settled(ledger.spent()).stream().filter(one -> one.user() != null).toList(),
            settled(ledger.past()),
            open,
            ledger.settled(),
            summary));
  }

  /** The fields of the status for a merge patch: lists also where they are empty. */
  Map<String, Object> fields() {
    Map<String, @Nullable Object> seen = new HashMap<>();
    Summary summary = status.summary();
    seen.put("limit", summary.limit());
    seen.put("spent", summary.spent());
    seen.put("reserved", summary.reserved());
    seen.put("remaining", summary.remaining());
    seen.put("resetsAt", text(summary.resetsAt()));
    seen.put("asOf", text(summary.asOf()));
    return Map.of(
        "since", String.valueOf(status.since()),
        "carried", String.valueOf(status.carried()),
        "settlements", status.settlements(),
        "settled", status.settled().stream().map(BudgetLedger::fields).toList(),
        "users", status.users().stream().map(BudgetLedger::fields).toList(),
        "past", status.past().stream().map(BudgetLedger::fields).toList(),
        "open", status.open().stream().map(BudgetLedger::fields).toList(),
        "summary", seen);
  }

  private static Map<String, Object> fields(Settled one) {
    Map<String, Object> fields = new HashMap<>();
    fields.put("from", one.from().toString());
    fields.put("queue", one.queue());
    fields.put("ticks", one.ticks());
    if (one.user() != null) {
      fields.put("user", one.user());
    }
    return fields;
  }

  private static Map<String, Object> fields(Open one) {
    Map<String, Object> fields = new HashMap<>();
    fields.put("uid", one.uid());
    fields.put("workload", one.workload());
    fields.put("queue", one.queue());
    fields.put("attempt", one.attempt().toString());
    fields.put("at", one.at().toString());
    fields.put("microsPerHour", one.microsPerHour());
    fields.put("seconds", one.seconds());
    fields.put("past", one.past());
    if (one.startedAt() != null) {
      fields.put("startedAt", one.startedAt().toString());
    }
    if (one.overSince() != null) {
      fields.put("overSince", one.overSince().toString());
    }
    if (one.held() != null) {
      fields.put("held", one.held());
    }
    if (one.chargedFrom() != null) {
      fields.put("chargedFrom", one.chargedFrom().toString());
    }
    if (one.limited() != null) {
      fields.put("limited", one.limited());
    }
    if (one.user() != null) {
      fields.put("user", one.user());
    }
    if (one.check() != null) {
      fields.put("check", one.check());
    }
    return fields;
  }

  private static @Nullable String text(@Nullable Instant when) {
    return when == null ? null : Instant.ofEpochSecond(when.getEpochSecond()).toString();
  }

  private static Open open(Reservation one) {
    Reservation.Charge charge = one.charge();
    String check = one.claimant().check();
    return new Open(
        one.uid(),
        one.workload(),
        one.queue(),
        one.attempt(),
        one.at(),
        one.rate().micros().toString(),
        charge.projected().toSeconds(),
        one.past(),
        one.startedAt(),
        one.overSince(),
        charge.held().isEmpty() ? null : charge.held(),
        charge.from(),
        charge.limited() ? true : null,
        one.user().isEmpty() ? null : one.user(),
        check.isEmpty() ? null : check);
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }
}
