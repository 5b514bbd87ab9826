// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobKinds;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.KindDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.Child;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodCount;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodSetDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.RefusedIf;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapped;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapping;
import io.github.kueue4j.jobs.declared.Match;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** Reads declarations of kinds of Jobs: docs/guides/job-kinds.md has the keys. */
@API(status = API.Status.INTERNAL)
public final class DeclarationReader {
  private static final Pattern FRAMEWORK =
      Pattern.compile("[a-z0-9]([-.a-z0-9]*[a-z0-9])?(/[a-z0-9]([-a-z0-9]*[a-z0-9])?)?");

  private DeclarationReader() {}

  static KindDeclaration read(YamlBlock kind) {
    try (kind) {
      String framework = required(kind, "framework");
      if (!FRAMEWORK.matcher(framework).matches()) {
        throw kind.invalid("framework", "must be a name like ray.io/rayjob, in lower case");
      }
      List<PodSetDeclaration> podSets =
          kind.blocks("podSets").stream().map(set -> podSet(set, true)).toList();
      if (podSets.isEmpty() && !kind.has("wraps")) {
        throw kind.missing("podSets", "at least one, with its pod template");
      }
      if (!podSets.isEmpty() && kind.has("wraps")) {
        throw kind.invalid("wraps", "stands beside podSets; write one of the two");
      }
      refuseAtEachObject(kind, podSets);
      return new KindDeclaration(
          framework,
          type(kind),
          new KindDeclaration.ObjectFields(
              inPolicies(kind, needed(kind, "suspend", "the field that stops the pods")),
              one(kind, "managedBy"),
              one(kind, "priorityClass")),
          podSets,
          kind.has("wraps") ? Optional.of(wraps(kind.block("wraps"))) : Optional.empty(),
          new KindDeclaration.Progress(
              matches(kind, "running"), matches(kind, "ready"), paths(kind, "active")),
          new KindDeclaration.End(
              matches(kind, "finished"), matches(kind, "succeeded"), one(kind, "message")),
          kind.blocks("refuseIf").stream().map(DeclarationReader::refusal).toList(),
          kind.blocks("children").stream().map(DeclarationReader::child).toList());
    }
  }

  /**
   * Refuses pod sets that no object can have together. Those without requests are only in objects
   * that have their template: two of one name may be alternatives.
   */
  private static void refuseAtEachObject(YamlBlock kind, List<PodSetDeclaration> podSets) {
    List<PodSetDeclaration> fixed =
        podSets.stream().filter(set -> set.forEach().isEmpty() && set.when().isEmpty()).toList();
    Set<Object> seen = new HashSet<>();
    fixed.stream()
        .filter(set -> set.nameFrom().isEmpty())
        .filter(
            set -> {
              String name = set.name().orElse("").toLowerCase(Locale.ROOT);
              return !seen.add(List.of(name, set.template()))
                  || (!set.requests().isEmpty() && !seen.add(name));
            })
        .flatMap(set -> set.name().stream())
        .findFirst()
        .ifPresent(
            name -> {
              throw kind.invalid(
                  "podSets",
                  "has two called "
                      + name
                      + "; give each a name of its own, or a when that holds for other objects");
            });
    long always = fixed.stream().filter(set -> !set.requests().isEmpty()).count();
    if (always > KindDeclaration.MOST_POD_SETS) {
      throw kind.invalid(
          "podSets",
          "has %d that every object has, and a Workload has at most %d; remove some"
              .formatted(always, KindDeclaration.MOST_POD_SETS));
    }
  }

  /** Webhooks and policies name the field in expressions. */
  private static FieldPath inPolicies(YamlBlock kind, FieldPath suspend) {
    if (suspend.toString().contains("-")) {
      throw kind.invalid("suspend", "has a dash, which no expression of a webhook can name");
    }
    return suspend;
  }

  private static ResourceType<DeclaredJob> type(YamlBlock kind) {
    String apiVersion = required(kind, "apiVersion");
    String name = required(kind, "kind");
    ResourceType<?> type =
        valid(
            kind,
            "kind",
            () -> ResourceType.namespaced(apiVersion, name, UnmanagedKind.Unread.class));
    ResourceType<?> called =
        kind.text("plural")
            .<ResourceType<?>>map(plural -> valid(kind, "plural", () -> type.withPlural(plural)))
            .orElse(type);
    if (called.group().isEmpty()) {
      throw kind.invalid("apiVersion", "has no group; write one such as ray.io/v1");
    }
    ResourceType<DeclaredJob> read = called.as(DeclaredJob.class);
    List<String> others = kind.texts("otherVersions", List.of());
    return valid(kind, "otherVersions", () -> read.orInVersions(others));
  }

  private static Wrapping wraps(YamlBlock block) {
    try (block) {
      return new Wrapping(
          needed(block, "forEach", "the list with an element for each wrapped object"),
          needed(block, "object", "the field with the wrapped object"),
          needed(block, "podSets", "the list of the pod sets that the user declares"),
          needed(block, "path", "the field with the path of a pod template"),
          new PodCount(
              onePaths(block, "count"), Optional.empty(), Optional.empty(), Optional.empty()),
          needed(block, "infos", "the list to which a start writes"),
          block.blocks("inferred").stream().map(DeclarationReader::wrapped).toList());
    }
  }

  private static Wrapped wrapped(YamlBlock block) {
    try (block) {
      return new Wrapped(
          required(block, "apiVersion"),
          required(block, "kind"),
          block.blocks("podSets").stream().map(set -> podSet(set, false)).toList(),
          block.blocks("refuseIf").stream().map(DeclarationReader::refusal).toList());
    }
  }

  private static FieldPath needed(YamlBlock block, String key, String what) {
    return one(block, key).orElseThrow(() -> block.missing(key, what));
  }

  /**
   * Reads pod sets.
   *
   * @param ofAnObject false for those of a wrapped object, which are named after its wrapper, and
   *     whose template may be the object itself
   */
  private static PodSetDeclaration podSet(YamlBlock set, boolean ofAnObject) {
    try (set) {
      Optional<FieldPath> forEach = one(set, "forEach");
      Optional<String> name = ofAnObject ? set.text("name") : Optional.empty();
      Optional<FieldPath> nameFrom = ofAnObject ? one(set, "nameFrom") : Optional.empty();
      if (ofAnObject && forEach.isEmpty() && name.isEmpty()) {
        throw set.missing("name", "the name of the pod set");
      }
      if (name.filter(PodSetDeclaration::isName).isEmpty() && name.isPresent()) {
        set.reportInvalid("name", "can't name a pod set; " + PodSetDeclaration.NAME_RULE);
      }
      if (forEach.isEmpty() && set.has("order")) {
        throw set.invalid("order", "orders the keys of a map, but there is no forEach");
      }
      var requests = set.textMap("requests");
      requests.forEach(
          (resource, quantity) ->
              valid(set.block("requests"), resource, () -> Quantity.parse(quantity)));
      return new PodSetDeclaration(
          forEach,
          set.texts("order", List.of()),
          name,
          nameFrom,
          ofAnObject || set.has("template")
              ? needed(set, "template", "the field with the pod template")
              : FieldPath.of(),
          count(set, ofAnObject),
          ofAnObject ? reclaimable(set, forEach.isPresent()) : Optional.empty(),
          matches(set, "when"),
          requests);
    }
  }

  private static PodCount count(YamlBlock set, boolean ofAnObject) {
    PodCount count =
        new PodCount(
            onePaths(set, "count"),
            one(set, "atLeast"),
            one(set, "atMost"),
            ofAnObject ? one(set, "minCount") : Optional.empty());
    if (count.minCount().isPresent()
        && (count.factors().size() != 1
            || count.atLeast().isPresent()
            || count.atMost().isPresent())) {
      throw set.invalid(
          "minCount",
          "needs a count of one field, without atLeast and atMost: a start with fewer pods writes it");
    }
    return count;
  }

  private static Optional<FieldPath> reclaimable(YamlBlock set, boolean hasElements) {
    Optional<FieldPath> path = path(set, "reclaimable", set.text("reclaimable"));
    if (!hasElements && path.filter(FieldPath::isMany).isPresent()) {
      throw set.invalid("reclaimable", "has a *, the key of the element, but there is no forEach");
    }
    return path;
  }

  private static List<FieldPath> onePaths(YamlBlock block, String key) {
    List<FieldPath> paths = paths(block, key);
    if (paths.stream().anyMatch(FieldPath::isMany)) {
      throw block.invalid(key, "has a path with *; each factor is one field");
    }
    return paths;
  }

  private static RefusedIf refusal(YamlBlock block) {
    try (block) {
      return new RefusedIf(matchIn(block), required(block, "because"));
    }
  }

  private static Child child(YamlBlock block) {
    try (block) {
      return new Child(
          required(block, "apiVersion"),
          required(block, "kind"),
          needed(block, "name", "the field with its name"),
          block.text("suffix", ""),
          block.text("podSet"));
    }
  }

  private static List<Match> matches(YamlBlock parent, String key) {
    return parent.blocks(key).stream().map(DeclarationReader::match).toList();
  }

  private static Match match(YamlBlock block) {
    try (block) {
      return matchIn(block);
    }
  }

  private static Match matchIn(YamlBlock block) {
    List<Match> found = new ArrayList<>();
    block.text("condition").map(Match.Condition::new).ifPresent(found::add);
    Optional<FieldPath> path = path(block, "path", block.text("path"));
    if (block.has("in")) {
      Set<String> values = Set.copyOf(block.texts("in", List.of()));
      if (values.isEmpty()) {
        block.reportInvalid("in", "is empty, so that it never holds; write a value");
      }
      found.add(new Match.OneOf(of(block, path), values, block.text("absent")));
    }
    if (block.has("above")) {
      found.add(new Match.Exceeds(of(block, path), block.number("above", 0)));
    }
    if (block.flag("present", false)) {
      found.add(new Match.Present(of(block, path)));
    }
    for (String key : List.of("all", "none")) {
      if (block.has(key)) {
        List<Match> together = matches(block, key);
        if (together.isEmpty()) {
          throw block.invalid(key, "is empty, so that it always holds; write a match");
        }
        found.add(new Match.Together(together, key.equals("all")));
      }
    }
    boolean pathless =
        found.stream().anyMatch(Match.Condition.class::isInstance)
            || found.stream().anyMatch(Match.Together.class::isInstance);
    if (found.size() != 1 || (pathless && path.isPresent())) {
      throw block.invalid(
          "path",
          "needs one of in, above or present: true; or write condition, all or none without a path");
    }
    return found.getFirst();
  }

  private static FieldPath of(YamlBlock block, Optional<FieldPath> path) {
    return path.orElseThrow(() -> block.missing("path", "the field that is compared"));
  }

  private static Optional<FieldPath> one(YamlBlock block, String key) {
    Optional<FieldPath> path = path(block, key, block.text(key));
    if (path.filter(FieldPath::isMany).isPresent()) {
      throw block.invalid(key, "has a *; it has to lead to one field");
    }
    return path;
  }

  private static List<FieldPath> paths(YamlBlock block, String key) {
    return block.texts(key, List.of()).stream()
        .flatMap(text -> path(block, key, Optional.of(text)).stream())
        .toList();
  }

  private static Optional<FieldPath> path(YamlBlock block, String key, Optional<String> text) {
    return text.map(written -> valid(block, key, () -> FieldPath.parse(written)));
  }

  private static <T> T valid(YamlBlock block, String key, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw block.invalid(key, String.valueOf(e.getMessage()));
    }
  }

  private static String required(YamlBlock block, String key) {
    return block
        .text(key)
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> block.missing(key, "a text"));
  }

  /** The kinds of {@code jobKinds} in the block {@code kueue4j} of a configuration. */
  public static List<KindDeclaration> declared(YamlBlock extensions) {
    List<KindDeclaration> declared =
        extensions.blocks("jobKinds").stream().map(DeclarationReader::read).toList();
    refuseTwice(extensions, Stream.concat(BuiltInKinds.ALL.stream(), declared.stream()).toList());
    return declared;
  }

  private static List<String> names(String framework, ResourceType<?> type) {
    return List.of(framework, type.qualifiedName(), type.kind());
  }

  /** Refuses a second kind of a name; webhooks are named by the kind alone. */
  private static void refuseTwice(YamlBlock block, List<KindDeclaration> declared) {
    Set<String> seen =
        new HashSet<>(
            List.of("ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Workload"));
    JobKinds.inCode().all().forEach(kind -> seen.addAll(names(kind.framework(), kind.type())));
    declared.stream()
        .flatMap(each -> names(each.framework(), each.type()).stream())
        .filter(name -> !seen.add(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw block.invalid("jobKinds", "declares " + name + " twice, or one built in");
            });
  }
}
