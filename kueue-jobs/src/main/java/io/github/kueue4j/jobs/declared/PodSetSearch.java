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
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodCount;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodSetDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapped;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapping;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
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
 * Searches an object for the pod sets of its declaration, and collects what is wrong with them. One
 * search per object.
 */
final class PodSetSearch {
  private static final int LONGEST_PATH = 1000;
  private static final String A_COUNT = "a whole number of at most " + Integer.MAX_VALUE;

  private final DeclaredJob job;
  private final JsonObject body;
  private final Map<String, PodSetPlace> places = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private PodSetSearch(DeclaredJob job) {
    this.job = job;
    this.body = job.body();
  }

  /** The pod sets that the declaration finds in an object. */
  static PodSetPlace.PodSetPlaces in(DeclaredJob job, KindDeclaration kind) {
    PodSetSearch search = new PodSetSearch(job);
    kind.podSets()
        .forEach(
            declared ->
                search.fitted(
                    declared.forEach().orElse(declared.template()), () -> search.all(declared)));
    kind.wraps().ifPresent(search::wrapped);
    return new PodSetPlace.PodSetPlaces(List.copyOf(search.places.values()), search.problems);
  }

  private void fitted(FieldPath from, Runnable more) {
    boolean fitted = places.size() <= KindDeclaration.MOST_POD_SETS;
    more.run();
    if (fitted && places.size() > KindDeclaration.MOST_POD_SETS) {
      problems.add(
          "%s makes %d pod sets, and a Workload has at most %d; write fewer"
              .formatted(from, places.size(), KindDeclaration.MOST_POD_SETS));
    }
  }

  private void all(PodSetDeclaration declared) {
    if (declared.forEach().isEmpty()) {
      one(declared, FieldPath.of(), declared.name().orElse("main"), "");
      return;
    }
    FieldPath list = declared.forEach().get();
    steps(list, declared.order())
        .forEach(step -> one(declared, list.child(step), declared.name().orElse(step), step));
  }

  private Stream<String> steps(FieldPath list, List<String> order) {
    isBlocked(list.child(FieldPath.EACH));
    return steps(list.in(body).orElse(null), order);
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
    FieldPath place = declared.template().below(base);
    if (!isThere(declared, element, place)) {
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
    PodSetPlace found = read(declared, base, lower, step).orElse(null);
    if (found == null) {
      return;
    }
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

  private boolean isThere(PodSetDeclaration declared, JsonElement element, FieldPath place) {
    return (declared.when().isEmpty() || Match.any(declared.when(), element))
        && !isBlocked(place)
        && (!declared.requests().isEmpty() || declared.template().in(element).isPresent());
  }

  private Optional<PodSetPlace> read(
      PodSetDeclaration declared, FieldPath base, String name, String step) {
    JsonElement element = base.in(body).orElseGet(JsonObject::new);
    FieldPath place = declared.template().below(base);
    Optional<JsonElement> raw = declared.template().in(element);
    Optional<V1PodTemplateSpec> template =
        raw.isEmpty()
            ? Optional.of(PodSetPlace.standIn(declared.requests()))
            : template(place, raw.get());
    Optional<Integer> count = count(declared.count(), base, element);
    if (template.isEmpty() || count.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PodSetPlace(
            name,
            place,
            template.get(),
            raw.isPresent(),
            raw.isEmpty(),
            Optional.empty(),
            count.get(),
            fewer(declared.count(), base, element),
            Math.min(count.get(), reclaimable(declared, step))));
  }

  private void wrapped(Wrapping wraps) {
    // No component is read after these: a user may write thousands.
    boolean fits =
        steps(wraps.forEach(), List.of())
            .allMatch(step -> component(wraps, wraps.forEach().child(step)));
    if (!fits) {
      problems.add(
          "%s makes more pod sets than the %d that a Workload has at most; write fewer"
              .formatted(wraps.forEach(), KindDeclaration.MOST_POD_SETS));
    }
  }

  /**
   * Adds the pod sets of a wrapped object, in the order in which the controller has them.
   *
   * @return false if a Workload can't have so many
   */
  private boolean component(Wrapping wraps, FieldPath at) {
    FieldPath object = wraps.object().below(at);
    FieldPath list = wraps.podSets().below(at);
    if (isBlocked(object.child("kind"))) {
      return true;
    }
    if (wraps.inferred().stream().anyMatch(kind -> isOf(kind, object) && refuses(kind, object))) {
      return true;
    }
    int room = KindDeclaration.MOST_POD_SETS - places.size();
    List<String> entries = steps(list, List.of()).limit(room + 1L).toList();
    if (entries.size() > room) {
      return false;
    }
    List<PodSetPlace> declared =
        entries.stream().flatMap(step -> declared(wraps, at, list.child(step)).stream()).toList();
    List<PodSetPlace> known =
        wraps.inferred().stream()
            .filter(kind -> isOf(kind, object))
            .flatMap(kind -> kind.podSets().stream())
            .flatMap(set -> inferred(set, object))
            .limit(room + 1L)
            .toList();
    if (known.size() > room) {
      return false;
    }
    List<PodSetPlace> inferred = known.stream().filter(PodSetPlace::written).toList();
    if (!declared.isEmpty() && !inferred.isEmpty() && !counts(declared).equals(counts(inferred))) {
      problems.add(
          list
              + " has other pods than the object has that it is for; remove it, since they are"
              + " known for this kind");
    }
    List<PodSetPlace> all = declared.isEmpty() ? inferred : declared;
    if (!all.isEmpty() && object.child("metadata").child("name").textIn(body).isEmpty()) {
      problems.add(
          object.child("metadata").child("name")
              + " is absent; write the name of the object, which tells it from others");
    }
    FieldPath infos = wraps.infos().below(at);
    for (int i = 0; i < all.size(); i++) {
      put(all.get(i).inInfos(Optional.of(new PodSetPlace.Infos(infos, i, all.size()))));
    }
    known.stream().filter(set -> !set.written()).forEach(this::put);
    object
        .in(body)
        .flatMap(
            tree ->
                uncovered(
                    object,
                    tree,
                    places.values().stream().map(PodSetPlace::place).collect(Collectors.toSet())))
        .ifPresent(
            containers ->
                problems.add(
                    containers
                        + " are of no pod set; write one into "
                        + list
                        + ", with the path of their pod template and the number of pods"));
    return places.size() <= KindDeclaration.MOST_POD_SETS;
  }

  private boolean refuses(Wrapped kind, FieldPath object) {
    Optional<String> because =
        kind.refusals().stream()
            .filter(refusal -> refusal.match().holds(object.in(body).orElseThrow()))
            .map(KindDeclaration.RefusedIf::because)
            .findFirst();
    because.ifPresent(text -> problems.add(object + ": " + text));
    return because.isPresent();
  }

  private boolean isOf(Wrapped kind, FieldPath object) {
    return object.child("apiVersion").textIn(body).filter(kind.apiVersion()::equals).isPresent()
        && object.child("kind").textIn(body).filter(kind.kind()::equals).isPresent();
  }

  private static Map<FieldPath, Integer> counts(List<PodSetPlace> places) {
    // A second one for the same template is told when it is added.
    return places.stream()
        .collect(Collectors.toMap(PodSetPlace::place, PodSetPlace::count, (first, next) -> first));
  }

  private Stream<PodSetPlace> inferred(PodSetDeclaration set, FieldPath object) {
    Stream<FieldPath> bases =
        set.forEach()
            .map(list -> list.below(object))
            .map(list -> steps(list, set.order()).map(list::child))
            .orElseGet(() -> Stream.of(object));
    return bases
        .filter(
            base ->
                isThere(set, base.in(body).orElseGet(JsonObject::new), set.template().below(base)))
        .flatMap(base -> read(set, base, "", "").stream())
        // The controller doesn't know it.
        .map(
            found ->
                set.requests().isEmpty()
                    ? found
                    : new PodSetPlace(
                        "",
                        found.place(),
                        found.template(),
                        false,
                        found.madeUp(),
                        Optional.empty(),
                        found.count(),
                        Optional.empty(),
                        0));
  }

  private Optional<PodSetPlace> declared(Wrapping wraps, FieldPath at, FieldPath set) {
    JsonElement element = set.in(body).orElseGet(JsonObject::new);
    Optional<Integer> count = count(wraps.count(), set, element);
    Optional<FieldPath> place = written(wraps.path().below(set), at, wraps.object().below(at));
    Optional<V1PodTemplateSpec> template =
        place.flatMap(path -> template(path, path.in(body).orElseGet(JsonObject::new)));
    if (count.isEmpty() || template.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PodSetPlace(
            "",
            place.get(),
            template.get(),
            true,
            false,
            Optional.empty(),
            count.get(),
            Optional.empty(),
            0));
  }

  /**
   * The place that a text of the user's leads to, such as {@code template.spec.jobs[0].template};
   * empty if it leads nowhere or out of the wrapped object, which is told.
   */
  private Optional<FieldPath> written(FieldPath field, FieldPath at, FieldPath object) {
    String text = field.textIn(body).orElse("");
    FieldPath place = at;
    boolean leads = text.length() <= LONGEST_PATH;
    for (String part : leads ? text.replace("[", ".[").split("\\.", -1) : new String[0]) {
      Optional<JsonElement> outer = place.in(body);
      boolean item = part.startsWith("[") && part.endsWith("]");
      String step = item ? index(part.substring(1, part.length() - 1)) : part;
      boolean fits = item ? outer.get() instanceof JsonArray : outer.get() instanceof JsonObject;
      FieldPath next = place.child(step);
      leads = fits && !step.equals(FieldPath.EACH) && next.in(body).isPresent();
      if (!leads) {
        break;
      }
      place = next;
    }
    FieldPath containers = place.child("spec").child("containers");
    if (leads
        && place.isIn(object)
        && (job.trimmed(place) != null || containers.in(body).orElse(null) instanceof JsonArray)) {
      return Optional.of(place);
    }
    problems.add(
        "%s is \"%s\", which leads to no pod template; write its path, such as %s.spec.template"
            .formatted(
                field, text.length() <= 80 ? text : text.substring(0, 80) + "...", "template"));
    return Optional.empty();
  }

  /** The index of a list; what is none leads nowhere. */
  private static String index(String text) {
    boolean number =
        !text.isEmpty() && text.length() < 10 && text.chars().allMatch(Character::isDigit);
    return number ? String.valueOf(Integer.parseInt(text)) : FieldPath.EACH;
  }

  /** Adds a pod set of a wrapped object. */
  private void put(PodSetPlace found) {
    String name = Objects.requireNonNullElse(job.getMetadata().getName(), "") + "-" + places.size();
    if (!PodSetDeclaration.isName(name)) {
      problems.add(
          "metadata.name: \"" + name + "\" can't name a pod set; " + PodSetDeclaration.NAME_RULE);
    }
    // What isn't written to the template by a start can't be taken off it, either.
    Unsupported.in(found.place().toString(), found.template()).stream()
        .filter(asked -> asked.feature() == Unsupported.Feature.SCHEDULING_GATE)
        .findFirst()
        .ifPresent(
            gate ->
                problems.add(
                    "%s \"%s\" would never be taken off its pods; remove it from the template"
                        .formatted(gate.field(), gate.value())));
    places.values().stream()
        .filter(other -> other.place().isIn(found.place()) || found.place().isIn(other.place()))
        .findFirst()
        .ifPresent(
            other ->
                problems.add(
                    found.place() + " is a part of a second pod set; write one for each template"));
    places.put(name, found.named(name));
  }

  /** Containers of pods that no pod set counts. */
  private static Optional<FieldPath> uncovered(
      FieldPath at, JsonElement tree, Set<FieldPath> counted) {
    if (counted.contains(at)) {
      return Optional.empty();
    }
    if (at.steps().getLast().equals("containers")
        && tree instanceof JsonArray items
        && items.asList().stream().anyMatch(JsonElement::isJsonObject)) {
      return Optional.of(at);
    }
    return switch (tree) {
      case JsonObject fields ->
          fields.entrySet().stream()
              .flatMap(
                  each -> uncovered(at.child(each.getKey()), each.getValue(), counted).stream())
              .findFirst();
      case JsonArray items ->
          Stream.iterate(0, i -> i + 1)
              .limit(items.size())
              .flatMap(i -> uncovered(at.child(String.valueOf(i)), items.get(i), counted).stream())
              .findFirst();
      default -> Optional.empty();
    };
  }

  private Optional<PodSetPlace.FewerPods> fewer(
      PodCount declared, FieldPath base, JsonElement element) {
    return declared
        .minCount()
        .flatMap(path -> number(path, 0, base, element))
        .map(
            least ->
                new PodSetPlace.FewerPods(
                    (int) Math.min(least, Integer.MAX_VALUE),
                    declared.factors().getFirst().below(base)));
  }

  /**
   * The pods that need no quota any more; an error in a status is no problem of the object's user.
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
