// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JsonWords;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodCount;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodSetDeclaration;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pod set of a particular object.
 *
 * @param name of the pod set
 * @param place of its template
 * @param template of its pods
 * @param written whether the template stands in the object, so that it can be changed
 * @param count number of its pods
 * @param fewer where fewer pods are written; empty if it can't run with fewer
 * @param reclaimable number of its pods that never run again
 */
record PodSetPlace(
    String name,
    FieldPath place,
    V1PodTemplateSpec template,
    boolean written,
    int count,
    Optional<FewerPods> fewer,
    int reclaimable) {
  /**
   * A pod set that can run with fewer pods.
   *
   * @param least the fewest
   * @param count the field with their number
   */
  record FewerPods(int least, FieldPath count) {}

  /** The fewest pods that can be admitted; null if all are needed. */
  @Nullable Integer minCount() {
    return fewer.map(FewerPods::least).filter(least -> least > 0 && least < count).orElse(null);
  }

  /** Whether so many pods are fewer than those that can run again, and it may run with them. */
  boolean isFewer(int pods) {
    return minCount() != null && pods > 0 && pods < count - reclaimable;
  }

  /**
   * The count of the pod set while so many pods may run: those that have ended for good still
   * count.
   */
  int countFor(int pods) {
    return pods + reclaimable;
  }

  /**
   * The pod sets of an object.
   *
   * @param problems field, problem and remedy of each that can't be read; it is left out
   */
  record PodSetPlaces(List<PodSetPlace> places, List<String> problems) {}

  static PodSetPlaces in(DeclaredJob job, List<PodSetDeclaration> declarations) {
    PlaceSearch search = new PlaceSearch(job);
    declarations.forEach(
        declared -> {
          boolean fitted = search.places.size() <= KindDeclaration.MOST_POD_SETS;
          search.all(declared);
          if (fitted && search.places.size() > KindDeclaration.MOST_POD_SETS) {
            search.problems.add(
                "%s makes %d pod sets, and a Workload has at most %d; write fewer"
                    .formatted(
                        declared.forEach().orElse(declared.template()),
                        search.places.size(),
                        KindDeclaration.MOST_POD_SETS));
          }
        });
    return new PodSetPlaces(List.copyOf(search.places.values()), search.problems);
  }

  private static final class PlaceSearch {
    private static final String A_COUNT = "a whole number of at most " + Integer.MAX_VALUE;

    private final DeclaredJob job;
    private final JsonObject body;
    private final Map<String, PodSetPlace> places = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    PlaceSearch(DeclaredJob job) {
      this.job = job;
      this.body = job.body();
    }

    private void all(PodSetDeclaration declared) {
      if (declared.forEach().isEmpty()) {
        one(declared, new FieldPath(List.of()), declared.name().orElse("main"), "");
        return;
      }
      FieldPath list = declared.forEach().get();
      isBlocked(list.child(FieldPath.EACH));
      steps(list.in(body).orElse(null), declared.order())
          .forEach(step -> one(declared, list.child(step), declared.name().orElse(step), step));
    }

    private static Stream<String> steps(@Nullable JsonElement list, List<String> order) {
      if (list instanceof JsonArray items) {
        return Stream.iterate(0, i -> i + 1).limit(items.size()).map(String::valueOf);
      }
      Set<String> keys = new LinkedHashSet<>();
      if (list instanceof JsonObject fields) {
        keys.addAll(order);
        fields.keySet().stream().sorted().forEach(keys::add);
        keys.retainAll(fields.keySet());
      }
      return keys.stream();
    }

    private void one(PodSetDeclaration declared, FieldPath base, String fallback, String step) {
      JsonElement element = base.in(body).orElseGet(JsonObject::new);
      if (!declared.when().isEmpty() && !Match.any(declared.when(), element)) {
        return;
      }
      FieldPath place = declared.template().below(base);
      if (isBlocked(place)) {
        return;
      }
      JsonElement raw = declared.template().in(element).orElse(null);
      if (raw == null && declared.requests().isEmpty()) {
        return;
      }
      String name = declared.nameFrom().flatMap(path -> path.textIn(element)).orElse(fallback);
      String lower = name.toLowerCase(Locale.ROOT);
      FieldPath named =
          declared
              .nameFrom()
              .map(path -> path.below(base))
              .orElse(base.steps().isEmpty() ? place : base);
      if (!PodSetDeclaration.isName(name)) {
        problems.add(
            named + ": \"" + name + "\" can't name a pod set; " + PodSetDeclaration.NAME_RULE);
        return;
      }
      Optional<V1PodTemplateSpec> template =
          raw == null ? Optional.of(standIn(declared.requests())) : template(place, raw);
      Optional<Integer> count = count(declared.count(), base, element);
      if (template.isEmpty() || count.isEmpty()) {
        return;
      }
      PodSetPlace found =
          new PodSetPlace(
              lower,
              place,
              template.get(),
              raw != null,
              count.get(),
              fewer(declared.count(), base, element),
              Math.min(count.get(), reclaimable(declared, step)));
      if (found.minCount() != null
          && places.values().stream().anyMatch(other -> other.minCount() != null)) {
        problems.add(
            place
                + ": a second pod set that can run with fewer pods; only one can, remove its minimum");
      }
      if (places.putIfAbsent(lower, found) != null) {
        problems.add(named + ": a second pod set \"" + lower + "\"; give each a name of its own");
      }
    }

    private Optional<FewerPods> fewer(PodCount declared, FieldPath base, JsonElement element) {
      return declared
          .minCount()
          .flatMap(path -> number(path, 0, base, element))
          .map(
              least ->
                  new FewerPods(
                      (int) Math.min(least, Integer.MAX_VALUE),
                      declared.factors().getFirst().below(base)));
    }

    /**
     * The pods that need no quota any more; an error in a status is no problem of the object's
     * user.
     */
    private int reclaimable(PodSetDeclaration declared, String step) {
      return declared
          .reclaimable()
          .map(path -> path.inElement(step))
          .flatMap(path -> path.in(body))
          .filter(value -> value instanceof JsonPrimitive number && number.isNumber())
          .map(value -> (int) Math.max(0, value.getAsDouble()))
          .orElse(0);
    }

    /** Whether no such field can be there; that is told. */
    private boolean isBlocked(FieldPath field) {
      Optional<String> obstacle = field.obstacleIn(body);
      obstacle.ifPresent(is -> problems.add(is + "; write an object or list, for " + field));
      return obstacle.isPresent();
    }

    private Optional<V1PodTemplateSpec> template(FieldPath place, JsonElement raw) {
      V1PodTemplateSpec trimmed = job.trimmed(place);
      if (trimmed != null) {
        return Optional.of(trimmed);
      }
      if (!(raw instanceof JsonObject)) {
        problems.add(
            place
                + " is "
                + (raw instanceof JsonArray ? "a list" : raw)
                + "; write a pod template, with metadata and spec");
        return Optional.empty();
      }
      try {
        return Optional.of(KueueJson.fromTree(raw, V1PodTemplateSpec.class));
      } catch (JsonParseException e) {
        problems.add(
            place + " is no pod template: " + JsonWords.of(e) + "; write it as a Pod has it");
        return Optional.empty();
      }
    }

    /** The product; empty where it is none, which is told. */
    private Optional<Integer> count(PodCount declared, FieldPath base, JsonElement element) {
      double product = 1;
      for (int i = 0; i < declared.factors().size(); i++) {
        Optional<Double> factor = number(declared.factors().get(i), 1, base, element);
        if (i == 0 && factor.isPresent()) {
          factor = bounded(declared, factor.get(), base, element);
        }
        if (factor.isEmpty()) {
          return Optional.empty();
        }
        if (factor.get() > Integer.MAX_VALUE) {
          problems.add(
              declared.factors().get(i).below(base)
                  + " is "
                  + BigDecimal.valueOf(factor.get()).toPlainString()
                  + "; write "
                  + A_COUNT);
          return Optional.empty();
        }
        product *= factor.get();
      }
      if (product > Integer.MAX_VALUE) {
        problems.add(
            declared.factors().stream()
                    .map(field -> String.valueOf(field.below(base)))
                    .collect(Collectors.joining(" * "))
                + " is more pods than there can be; write smaller numbers");
        return Optional.empty();
      }
      return Optional.of((int) product);
    }

    private Optional<Double> bounded(
        PodCount declared, double count, FieldPath base, JsonElement element) {
      Optional<Double> least = bound(declared.atLeast(), 0, base, element);
      Optional<Double> most = bound(declared.atMost(), Double.POSITIVE_INFINITY, base, element);
      return least.isEmpty() || most.isEmpty()
          ? Optional.empty()
          : Optional.of(
              Math.max(Math.min(least.get(), Integer.MAX_VALUE), Math.min(count, most.get())));
    }

    private Optional<Double> bound(
        Optional<FieldPath> field, double absent, FieldPath base, JsonElement element) {
      return field.isEmpty() ? Optional.of(absent) : number(field.get(), absent, base, element);
    }

    private Optional<Double> number(
        FieldPath field, double absent, FieldPath base, JsonElement element) {
      if (isBlocked(field.below(base))) {
        return Optional.empty();
      }
      JsonElement value = field.in(element).orElse(new JsonPrimitive(absent));
      double number =
          value instanceof JsonPrimitive given && given.isNumber() ? given.getAsDouble() : -1;
      if (number < 0 || number != Math.rint(number)) {
        problems.add(field.below(base) + " is " + value + "; write a whole number of at least 0");
        return Optional.empty();
      }
      return Optional.of(number);
    }
  }

  /** Pods whose template the kind's controller makes up. */
  private static V1PodTemplateSpec standIn(Map<String, String> requests) {
    V1ResourceRequirements resources = new V1ResourceRequirements();
    requests.forEach((name, quantity) -> resources.putRequestsItem(name, new Quantity(quantity)));
    return new V1PodTemplateSpec()
        .spec(
            new V1PodSpec()
                .containers(List.of(new V1Container().name("main").resources(resources))));
  }

  /** Whether pods ask for no more than those of a template that was made up. */
  static boolean standsFor(V1PodTemplateSpec standIn, V1PodTemplateSpec pods) {
    Map<String, BigDecimal> covered = requests(standIn);
    return requests(pods).entrySet().stream()
        .allMatch(
            asked ->
                covered.containsKey(asked.getKey())
                    && asked.getValue().compareTo(covered.get(asked.getKey())) <= 0);
  }

  private static Map<String, BigDecimal> requests(V1PodTemplateSpec template) {
    V1PodSpec pod = Objects.requireNonNullElseGet(template.getSpec(), V1PodSpec::new);
    Map<String, BigDecimal> sums = new HashMap<>();
    for (V1Container container :
        Objects.requireNonNullElse(pod.getContainers(), List.<V1Container>of())) {
      V1ResourceRequirements resources = container.getResources();
      if (resources != null && resources.getRequests() != null) {
        resources
            .getRequests()
            .forEach((name, quantity) -> sums.merge(name, quantity.getNumber(), BigDecimal::add));
      }
    }
    return sums;
  }
}
