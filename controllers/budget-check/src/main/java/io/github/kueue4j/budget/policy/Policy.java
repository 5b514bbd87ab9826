// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.Circumstances;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A BudgetPolicy with its name, and what it means.
 *
 * @param name of the object
 * @param spec its fields
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Policy(String name, BudgetPolicySpec spec) {

  /** {@code group/version} of the kinds. */
  public static final String API_VERSION = "checks.kueue4j.io/v1alpha1";

  // Templates of pods are not validated before there are pods.
  private static final Pattern LABEL_VALUE =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  /** The administrators' kind. */
  public static final ResourceType<CustomResource<BudgetPolicySpec>> POLICIES =
      ResourceType.clusterScoped(API_VERSION, "BudgetPolicy", BudgetPolicySpec.class);

  /** The kind in namespaces. */
  public static final ResourceType<CustomResource<BudgetSpec>> BUDGETS =
      ResourceType.namespaced(API_VERSION, "Budget", BudgetSpec.class);

  /** The parts of a Budget that tell whether it concerns a policy. */
  private record Naming(String policy) {}

  private static final ResourceType<CustomResource<Naming>> NAMING =
      ResourceType.namespaced(API_VERSION, "Budget", Naming.class);

  /**
   * Reads the object.
   *
   * @throws IllegalArgumentException if a field makes no sense; the message names it
   */
  public static Policy of(CustomResource<BudgetPolicySpec> object) {
    return new Policy(String.valueOf(object.getMetadata().getName()), object.spec());
  }

  /**
   * The BudgetPolicy that a Budget names, also where nothing else of it can be read; empty if it
   * names none.
   */
  public static Optional<String> namedBy(CustomResource<BudgetSpec> budget) {
    try {
      return Optional.of(KueueJson.fromTree(KueueJson.toTree(budget), NAMING).spec().policy());
    } catch (IllegalArgumentException unreadable) {
      // Its status tells what to correct.
      return Optional.empty();
    }
  }

  /** Whether a namespace with these labels has a budget. */
  public boolean selects(Map<String, String> labels) {
    return spec.namespaceSelector().map(selector -> selector.matches(labels)).orElse(true);
  }

  /** The time for which its limits hold. */
  public Window window() {
    return spec.window().window();
  }

  /** Whether there is no other budget than that of each LocalQueue. */
  public boolean perQueue() {
    return spec.per().filter(BudgetPolicySpec.Per.LOCAL_QUEUE::equals).isPresent();
  }

  /** Whether Workloads are evicted that run while a limit is exceeded. */
  public boolean evicts() {
    return spec.whileRunning().flatMap(BudgetPolicySpec.WhileRunning::evict).orElse(false);
  }

  /** Whether Budgets can only lower its own limit: one that can't be used leaves that as it is. */
  public boolean onlyLowers() {
    return spec.limit().isPresent()
        && spec.budgets().filter(BudgetPolicySpec.Budgets.LOWER::equals).isPresent();
  }

  /** When this day begins where the windows do. */
  public Instant beginOf(LocalDate day) {
    ZoneId zone = window() instanceof Window.Calendar days ? days.zone() : ZoneOffset.UTC;
    return day.atStartOfDay(zone).toInstant();
  }

  /** The label that names users; empty: they aren't told apart. */
  public Optional<String> userLabel() {
    return spec.accounting().flatMap(BudgetPolicySpec.Accounting::userLabel);
  }

  /** Whether gauges show who has used what. */
  public boolean accountsAreMetrics() {
    return spec.accounting().flatMap(BudgetPolicySpec.Accounting::metrics).orElse(false);
  }

  /**
   * The user by the label of the Workload, or else of its pods: the word of the one who wrote it.
   * Empty if there is none, or no value that a label can have.
   */
  public String user(Workload workload) {
    return userLabel()
        .flatMap(
            label ->
                Stream.concat(
                        Stream.of(workload.metadata()),
                        workload.spec().podSets().stream()
                            .map(podSet -> podSet.template().getMetadata()))
                    .filter(Objects::nonNull)
                    .map(V1ObjectMeta::getLabels)
                    .filter(labels -> labels != null && labels.containsKey(label))
                    .map(labels -> labels.get(label))
                    .findFirst())
        .filter(value -> LABEL_VALUE.matcher(value).matches())
        .orElse("");
  }

  /** The part of a limit from which on a warning is given; empty: none is. */
  public Optional<Amount> softLimit(Amount limit) {
    return spec.softLimitPercent().map(limit::percent);
  }

  /**
   * Names the prices of resources that are in no use while one that is spelt almost the same is in
   * use and free, a sentence for each.
   *
   * @param used the resources that Workloads hold quota of
   */
  public List<String> misspeltPrices(Set<String> used) {
    Set<String> priced = spec.prices().stream().map(Price::resource).collect(Collectors.toSet());
    return NearestName.misspelt(priced, used).stream()
        .map(
            found ->
                "spec.prices names "
                    + found.name()
                    + ", which no Workload holds, and Workloads hold "
                    + found.meant()
                    + " for free: correct the name, or add a price of "
                    + found.meant())
        .toList();
  }

  /**
   * The parts without an effect, such as a price of a flavor that a general price stands in for.
   */
  public List<String> remarks(Circumstances at) {
    List<String> flavors =
        spec.prices().stream().flatMap(price -> price.flavor().stream()).toList();
    Stream<Optional<String>> late =
        spec.consumption().stream()
            .flatMap(
                server ->
                    Stream.of(
                        late("endpoint", server.endpoint(), at), late("http", server.http(), at)));
    return Stream.concat(Stream.of(at.unknownFlavors("spec.prices", flavors)), late)
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> late(
      String field, Optional<HttpEndpoint> server, Circumstances at) {
    return at.late(
        "spec.consumption." + field + ".timeout",
        server.flatMap(HttpEndpoint::ownTimeout),
        at.timeout());
  }

  /** An amount with its unit, as people read it. */
  public String text(Amount amount) {
    return spec.unit().map(unit -> amount + " " + unit).orElseGet(amount::toString);
  }

  /**
   * The terms of one namespace.
   *
   * @param budgets those of the namespace that name this policy
   * @return empty if there is no limit
   */
  public Optional<Terms> terms(List<BudgetSpec> budgets) {
    Optional<Amount> general = spec.limit().map(Amount::of);
    Map<String, Amount> own = new TreeMap<>();
    if (spec.budgets().orElse(BudgetPolicySpec.Budgets.IGNORE) != BudgetPolicySpec.Budgets.IGNORE) {
      for (BudgetSpec budget : budgets) {
        own.merge(budget.localQueue().orElse(""), Amount.of(budget.limit()), Amount::min);
      }
    }
    if (spec.budgets().filter(BudgetPolicySpec.Budgets.LOWER::equals).isPresent()) {
      general.ifPresent(most -> own.replaceAll((queue, amount) -> amount.min(most)));
    }
    @Nullable Amount ofAll = own.remove("");
    Optional<Amount> base = ofAll == null ? general : Optional.of(ofAll);
    List<Limit> limits = new ArrayList<>();
    if (!perQueue()) {
      base.ifPresent(amount -> limits.add(Limit.ofNamespace(amount)));
    }
    own.forEach((queue, amount) -> limits.add(new Limit(queue, amount)));
    Optional<Amount> anyQueue = perQueue() ? base : Optional.empty();
    return limits.isEmpty() && anyQueue.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Terms(
                window(), limits, anyQueue, spec.carryOver().map(Amount::of).orElse(Amount.ZERO)));
  }
}
