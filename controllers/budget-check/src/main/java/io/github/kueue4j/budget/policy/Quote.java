// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.budget.ledger.Rate;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The cost of a Workload under a policy. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Quote {

  /** The longest run that is reckoned with: ten years. */
  Duration LONGEST = Duration.ofDays(3653);

  /**
   * A price.
   *
   * @param rate while it runs
   * @param runtime how long that is; zero: it is charged as it runs
   * @param limited whether the queue controller ends it then
   * @param held how many pods of each pod set hold quota, with commas; empty if all do
   */
  record Priced(Rate rate, Duration runtime, boolean limited, String held) implements Quote {}

  /**
   * It can't be told.
   *
   * @param forEver whether only another Workload could be told
   * @param message for people: why, and what to do
   */
  record Undecidable(boolean forEver, String message) implements Quote {}

  /** The price of a Workload that holds quota. */
  static Quote of(Policy policy, Workload workload, List<AssignedPodSet> podSets) {
    return of(policy, workload, podSets, Unassigned.HAS_NO_FLAVOR);
  }

  /** The least price of one that may hold no quota: where it has no flavor, the cheapest counts. */
  static Quote least(Policy policy, Workload workload, List<AssignedPodSet> podSets) {
    return of(policy, workload, podSets, Unassigned.MAY_GET_ANY_FLAVOR);
  }

  /** The meaning of a resource without a flavor. */
  enum Unassigned {
    /** Only prices without a flavor apply. */
    HAS_NO_FLAVOR,
    /** It may get each flavor that there is a price of. */
    MAY_GET_ANY_FLAVOR
  }

  private static Quote of(
      Policy policy, Workload workload, List<AssignedPodSet> assigned, Unassigned unassigned) {
    Rate rate = Rate.FREE;
    HeldPods pods = HeldPods.of(workload, assigned);
    List<AssignedPodSet> podSets = pods.podSets();
    for (AssignedPodSet podSet : podSets) {
      for (Map.Entry<String, Quantity> request : podSet.requests().entrySet()) {
        @Nullable AssignedFlavor flavor = podSet.flavors().get(request.getKey());
        String flavorName = flavor == null ? "" : flavor.name();
        Optional<Price> price =
            flavor == null && unassigned == Unassigned.MAY_GET_ANY_FLAVOR
                ? cheapest(policy, request.getKey(), request.getValue())
                : price(policy, request.getKey(), flavorName);
        if (price.isPresent()) {
          rate = rate.plus(price.get().of(request.getValue()));
        } else if (!request.getValue().isZero() && isPriced(policy, request.getKey())) {
          return new Undecidable(
              false,
              "The BudgetPolicy '%s' has no price of %s in the flavor '%s': add one to its spec.prices, or one without a flavor."
                  .formatted(policy.name(), request.getKey(), flavorName));
        }
      }
    }
    return runtime(policy, workload, pods, rate);
  }

  private static boolean isPriced(Policy policy, String resource) {
    return policy.spec().prices().stream().anyMatch(price -> price.resource().equals(resource));
  }

  private static Optional<Price> cheapest(Policy policy, String resource, Quantity amount) {
    return policy.spec().prices().stream()
        .filter(price -> price.resource().equals(resource))
        .min(Comparator.comparing(price -> price.of(amount).micros()));
  }

  private static Optional<Price> price(Policy policy, String resource, String flavor) {
    List<Price> prices =
        policy.spec().prices().stream()
            .filter(price -> price.resource().equals(resource))
            .filter(price -> price.flavor().map(flavor::equals).orElse(true))
            .toList();
    return prices.stream()
        .filter(price -> price.flavor().isPresent())
        .findFirst()
        .or(() -> prices.stream().findFirst());
  }

  private static Quote runtime(Policy policy, Workload workload, HeldPods pods, Rate rate) {
    @Nullable Integer limit = workload.spec().maximumExecutionTimeSeconds();
    if (limit != null) {
      int past =
          Objects.requireNonNullElse(workload.status().accumulatedPastExecutionTimeSeconds(), 0);
      return new Priced(
          rate, Duration.ofSeconds(Math.max(1, (long) limit - past)), true, pods.text());
    }
    RuntimeSpec spec = policy.spec().runtime().orElseGet(RuntimeSpec::refusing);
    if (spec.annotation().isPresent()) {
      String annotation = spec.annotation().get();
      Set<String> declared = declared(annotation, workload, pods.podSets());
      if (!declared.isEmpty()) {
        return ofAnnotation(annotation, declared, rate, pods.text());
      }
    }
    return switch (spec.undeclared().orElse(RuntimeSpec.Undeclared.REFUSE)) {
      case REFUSE -> refused(policy, spec);
      case ASSUME -> new Priced(rate, spec.assumed().orElseThrow(), false, pods.text());
      case CHARGE_AS_IT_RUNS -> new Priced(rate, Duration.ZERO, false, pods.text());
    };
  }

  private static Quote refused(Policy policy, RuntimeSpec spec) {
    return new Undecidable(
        true,
        "The Workload doesn't say how long it runs, which the BudgetPolicy '"
            + policy.name()
            + "' asks for: set the label kueue.x-k8s.io/max-exec-time-seconds of the Job"
            + spec.annotation()
                .map(name -> ", or the annotation " + name + " of its pods, such as 2h")
                .orElse("")
            + ".");
  }

  private static Set<String> declared(
      String annotation, Workload workload, List<AssignedPodSet> podSets) {
    return Stream.concat(
            Stream.of(workload.metadata()),
            podSets.stream().map(podSet -> podSet.template().getMetadata()))
        .map(metadata -> annotation(metadata, annotation))
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  private static Optional<String> annotation(@Nullable V1ObjectMeta metadata, String name) {
    @Nullable Map<String, String> all = metadata == null ? null : metadata.getAnnotations();
    return all == null ? Optional.empty() : Optional.ofNullable(all.get(name));
  }

  /** The longest, where pod sets declare different ones. */
  private static Quote ofAnnotation(
      String annotation, Set<String> declared, Rate rate, String held) {
    Duration longest = Duration.ZERO;
    for (String text : declared) {
      Duration runtime;
      try {
        runtime = GoDuration.parse(text);
      } catch (IllegalArgumentException e) {
        runtime = Duration.ZERO;
      }
      if (!runtime.isPositive() || runtime.compareTo(LONGEST) > 0) {
        return new Undecidable(
            true,
            "The annotation "
                + annotation
                + " is '"
                + (text.length() > 40 ? text.substring(0, 40) + " ..." : text)
                + "': write a positive duration of at most ten years, such as 1h30m.");
      }
      longest = runtime.compareTo(longest) > 0 ? runtime : longest;
    }
    // A started second counts.
    return new Priced(
        rate, Duration.ofSeconds(longest.plusNanos(999_999_999).toSeconds()), false, held);
  }
}
