// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.declared.KindDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodCount;
import io.github.kueue4j.jobs.declared.KindDeclaration.PodSetDeclaration;
import io.github.kueue4j.jobs.declared.KindDeclaration.Wrapping;
import io.github.kueue4j.jobs.declared.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A path of a declaration that leads nowhere in an object.
 *
 * @param key where the declaration has it
 * @param path in the object
 * @param isFine whether the absence may be meant
 * @param remark what the absence means, or what to do
 */
record AbsentPath(String key, String path, boolean isFine, String remark) {

  static List<AbsentPath> in(JsonObject object, KindDeclaration declaration) {
    DeclaredPaths paths = new DeclaredPaths(object, names(declaration));
    paths.all(declaration);
    return paths.found;
  }

  private static Set<String> names(KindDeclaration declaration) {
    return Stream.concat(
            declaration.reads().stream(),
            declaration.podSets().stream().map(PodSetDeclaration::templates))
        .flatMap(path -> path.steps().stream())
        .collect(Collectors.toSet());
  }

  String text() {
    return key + ": " + path + " (" + remark + ")";
  }

  private static final class DeclaredPaths {
    private static final Optional<String> NEEDED = Optional.empty();

    private final JsonObject object;

    /** All that the declaration has in its paths. */
    private final Set<String> names;

    private final List<AbsentPath> found = new ArrayList<>();

    DeclaredPaths(JsonObject object, Set<String> names) {
      this.object = object;
      this.names = names;
    }

    void all(KindDeclaration declaration) {
      path("suspend", declaration.fields().suspend(), NEEDED);
      optional("managedBy", declaration.fields().managedBy(), "the kind's own controller runs it");
      optional("priorityClass", declaration.fields().priorityClass(), "that of the pods counts");
      for (int i = 0; i < declaration.podSets().size(); i++) {
        podSet("podSets[" + i + "]", declaration.podSets().get(i));
      }
      declaration.wraps().ifPresent(this::wraps);
      matches("running", declaration.progress().running());
      matches("ready", declaration.progress().ready());
      for (int i = 0; i < declaration.progress().active().size(); i++) {
        path(
            "active[" + i + "]",
            declaration.progress().active().get(i),
            Optional.of("it counts as 0"));
      }
      matches("finished", declaration.end().finished());
      matches("succeeded", declaration.end().succeeded());
      optional("message", declaration.end().message(), "there is none");
      for (int i = 0; i < declaration.refusals().size(); i++) {
        match("refuseIf[" + i + "]", declaration.refusals().get(i).match(), FieldPath.of());
      }
      for (int i = 0; i < declaration.children().size(); i++) {
        path(
            "children[" + i + "].name",
            declaration.children().get(i).name(),
            Optional.of("there is no such object"));
      }
    }

    private void podSet(String key, PodSetDeclaration set) {
      FieldPath base =
          set.forEach().map(list -> list.child(FieldPath.EACH)).orElseGet(FieldPath::of);
      if (set.forEach().isPresent() && base.in(object).isEmpty()) {
        path(key + ".forEach", base, NEEDED);
        return;
      }
      optional(
          key + ".nameFrom",
          set.nameFrom().map(name -> name.below(base)),
          "the key or index names the pod set");
      path(
          key + ".template",
          set.template().below(base),
          set.requests().isEmpty()
              ? Optional.of("there is no such pod set here").filter(none -> !set.when().isEmpty())
              : Optional.of("pods with requests stand for it"));
      PodCount count = set.count();
      for (int i = 0; i < count.factors().size(); i++) {
        factor(key + ".count[" + i + "]", count.factors().get(i).below(base), i == 0);
      }
      optional(
          key + ".atLeast", count.atLeast().map(each -> each.below(base)), "nothing bounds it");
      optional(key + ".atMost", count.atMost().map(each -> each.below(base)), "nothing bounds it");
      optional(
          key + ".minCount", count.minCount().map(each -> each.below(base)), "all pods are needed");
      optional(key + ".reclaimable", set.reclaimable(), "it counts as 0");
      for (int i = 0; i < set.when().size(); i++) {
        match(key + ".when[" + i + "]", set.when().get(i), base);
      }
    }

    private void wraps(Wrapping wraps) {
      FieldPath element = wraps.forEach().child(FieldPath.EACH);
      path("wraps.object", wraps.object().below(element), NEEDED);
      path(
          "wraps.podSets",
          wraps.podSets().below(element),
          Optional.of("those of known kinds are inferred"));
      path("wraps.infos", wraps.infos().below(element), Optional.of("a start writes it"));
    }

    private void matches(String key, List<Match> matches) {
      for (int i = 0; i < matches.size(); i++) {
        match(key + "[" + i + "]", matches.get(i), FieldPath.of());
      }
    }

    private void match(String key, Match match, FieldPath base) {
      switch (match) {
        case Match.Condition condition -> condition(key, condition.type());
        case Match.OneOf oneOf ->
            path(
                key + ".path",
                oneOf.path().below(base),
                Optional.of(
                    oneOf
                        .absent()
                        .map(value -> "it counts as " + value)
                        .orElse("it doesn't hold")));
        case Match.Exceeds above ->
            path(key + ".path", above.path().below(base), Optional.of("it doesn't hold"));
        case Match.Present present ->
            path(key + ".path", present.path().below(base), Optional.of("it doesn't hold"));
        case Match.Together together -> {
          String inner = key + (together.all() ? ".all" : ".none");
          for (int i = 0; i < together.matches().size(); i++) {
            match(inner + "[" + i + "]", together.matches().get(i), base);
          }
        }
      }
    }

    private void condition(String key, String type) {
      boolean known =
          Match.CONDITIONS.child(FieldPath.EACH).child("type").allIn(object).stream()
              .anyMatch(new JsonPrimitive(type)::equals);
      if (!known) {
        found.add(
            new AbsentPath(
                key + ".condition", type, true, "fine: the object has no such condition"));
      }
    }

    private void optional(String key, Optional<FieldPath> path, String meaning) {
      path.ifPresent(declared -> path(key, declared, Optional.of(meaning)));
    }

    private void path(String key, FieldPath path, Optional<String> meaning) {
      if (path.in(object).isEmpty()) {
        found.add(
            new AbsentPath(
                key,
                path.toString(),
                meaning.isPresent(),
                meaning
                    .map(means -> "fine: " + means)
                    .orElseGet(
                        () ->
                            "correct the path, or take an object that has the field"
                                + meant(path).map(DeclaredPaths::question).orElse(""))));
      }
    }

    /** A number that is wrong has pods run without quota, so a typing error isn't fine. */
    private void factor(String key, FieldPath path, boolean first) {
      if (path.in(object).isEmpty()) {
        Optional<String> meant = meant(path);
        found.add(
            new AbsentPath(
                key,
                path.toString(),
                meant.isEmpty(),
                meant
                    .map(field -> "it counts as 1" + question(field))
                    .orElse(
                        first
                            ? "it counts as 1: right if the kind has one pod without the field,"
                                + " otherwise correct the path"
                            : "fine: it counts as 1")));
      }
    }

    private static String question(String field) {
      return "; did you mean " + field + "?";
    }

    /** A field that is spelt almost the same, and that the declaration doesn't name. */
    private Optional<String> meant(FieldPath path) {
      FieldPath outer = FieldPath.of();
      for (String step : path.steps()) {
        FieldPath known = outer;
        if (known.child(step).in(object).isEmpty()) {
          Set<String> used =
              known.allIn(object).stream()
                  .filter(JsonElement::isJsonObject)
                  .flatMap(each -> each.getAsJsonObject().keySet().stream())
                  .collect(Collectors.toSet());
          return NearestName.misspelt(names, used).stream()
              .filter(misspelt -> misspelt.name().equals(step))
              .findFirst()
              .map(misspelt -> known.child(misspelt.meant()).toString());
        }
        outer = known.child(step);
      }
      return Optional.empty();
    }
  }
}
