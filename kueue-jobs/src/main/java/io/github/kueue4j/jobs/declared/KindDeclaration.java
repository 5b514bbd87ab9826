// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.jobs.FieldPath;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The declaration of a kind of Jobs: where its objects say what the core has to know.
 *
 * @param framework the name that enables it in {@code integrations.frameworks}
 * @param type of its objects
 * @param fields of an object as a whole
 * @param podSets in the order in which they are written to Workloads
 * @param wraps where its pods stand in objects of other kinds; empty if in its own fields
 * @param progress how objects tell what their pods do
 * @param end how objects tell that they have ended
 * @param refusals what no object may ask for
 * @param children objects that its controller creates, which run on the same quota
 */
@API(status = API.Status.INTERNAL)
public record KindDeclaration(
    String framework,
    ResourceType<DeclaredJob> type,
    ObjectFields fields,
    List<PodSetDeclaration> podSets,
    Optional<Wrapping> wraps,
    Progress progress,
    End end,
    List<RefusedIf> refusals,
    List<Child> children) {
  /** How many pod sets a Workload can have. */
  public static final int MOST_POD_SETS = 18;

  public KindDeclaration {
    podSets = List.copyOf(podSets);
    refusals = List.copyOf(refusals);
    children = List.copyOf(children);
  }

  /**
   * ObjectFields of an object as a whole.
   *
   * @param suspend true while its pods must not run; the core writes it
   * @param managedBy the controller that runs it
   * @param priorityClass the PriorityClass of its pods, if it doesn't stand in their templates only
   */
  public record ObjectFields(
      FieldPath suspend, Optional<FieldPath> managedBy, Optional<FieldPath> priorityClass) {}

  /**
   * One or several pod sets.
   *
   * @param forEach the list or map with an element for each of them; the other paths then begin at
   *     an element
   * @param order the keys of the map that come first
   * @param name of the pod set; of those of a map, their keys in lower case without a {@code
   *     nameFrom}
   * @param nameFrom the field with the name, which is written in lower case
   * @param template the pod template
   * @param count the number of pods
   * @param reclaimable the number of those that never run again, seen from the object; a step
   *     {@code *} is the key or index of the element
   * @param when which objects or elements have it: those that fulfil one of these, or all if there
   *     are none
   * @param requests of the pods where the template is absent; without any, there is no pod set then
   */
  public record PodSetDeclaration(
      Optional<FieldPath> forEach,
      List<String> order,
      Optional<String> name,
      Optional<FieldPath> nameFrom,
      FieldPath template,
      PodCount count,
      Optional<FieldPath> reclaimable,
      List<Match> when,
      Map<String, String> requests) {
    /** What a name has to be, for messages. */
    public static final String NAME_RULE = "write at most 63 letters, digits and -";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** Whether this can name a pod set, in lower case. */
    public static boolean isName(String text) {
      return NAME.matcher(text.toLowerCase(Locale.ROOT)).matches();
    }

    public PodSetDeclaration {
      order = List.copyOf(order);
      when = List.copyOf(when);
      requests = Map.copyOf(requests);
    }

    /** The paths of what it reads but the template. */
    Stream<FieldPath> reads() {
      Stream<FieldPath> paths =
          Stream.of(nameFrom.stream(), count.reads(), when.stream().flatMap(Match::reads))
              .flatMap(each -> each);
      return Stream.concat(
          forEach
              .map(list -> paths.map(path -> path.below(list.child(FieldPath.EACH))))
              .orElse(paths),
          reclaimable.stream());
    }

    /** The paths of its templates. */
    public FieldPath templates() {
      return forEach.map(list -> template.below(list.child(FieldPath.EACH))).orElse(template);
    }
  }

  /**
   * Objects of other kinds that stand in an object of this one, whose controller creates them. The
   * pod sets are named after the object and numbered.
   *
   * @param forEach the list with an element for each of them; the other paths begin at an element
   * @param object the wrapped object
   * @param podSets the list of the pod sets that the user declares
   * @param path of one of these: the text with the place of its template, seen from the element
   * @param count of one of these: the number of pods
   * @param infos the list to which a start writes what the pods of each pod set get; it is the
   *     core's
   * @param inferred the kinds of objects whose pod sets the controller knows
   */
  public record Wrapping(
      FieldPath forEach,
      FieldPath object,
      FieldPath podSets,
      FieldPath path,
      PodCount count,
      FieldPath infos,
      List<Wrapped> inferred) {
    public Wrapping {
      inferred = List.copyOf(inferred);
    }

    /** The places of the wrapped objects. */
    Stream<FieldPath> objects(JsonObject body) {
      int size = forEach.in(body).orElse(null) instanceof JsonArray list ? list.size() : 0;
      return IntStream.range(0, size).mapToObj(i -> object.below(forEach.child(String.valueOf(i))));
    }

    /** The paths of what it reads, but the templates. */
    Stream<FieldPath> reads() {
      FieldPath element = forEach.child(FieldPath.EACH);
      return Stream.of(
              Stream.of(podSets, infos),
              Stream.of("apiVersion", "kind", "metadata.name")
                  .map(field -> FieldPath.parse(field).below(object)),
              inferred.stream()
                  .flatMap(
                      each ->
                          Stream.concat(
                              each.podSets().stream().flatMap(PodSetDeclaration::reads),
                              each.refusals().stream().flatMap(refusal -> refusal.match().reads())))
                  .map(path -> path.below(object)))
          .flatMap(each -> each)
          .map(path -> path.below(element));
    }
  }

  /**
   * The kind of a wrapped object.
   *
   * @param podSets seen from the object; one with requests is none that the controller knows
   * @param refusals what no such object may ask for, seen from it
   */
  public record Wrapped(
      String apiVersion, String kind, List<PodSetDeclaration> podSets, List<RefusedIf> refusals) {
    public Wrapped {
      podSets = List.copyOf(podSets);
      refusals = List.copyOf(refusals);
    }
  }

  /**
   * The number of pods of a pod set: a product of fields.
   *
   * @param factors an absent one counts as 1
   * @param atLeast the least that the first factor counts as
   * @param atMost the most that the first factor counts as; the least wins
   * @param minCount the fewest pods that may be admitted; a start with fewer than all writes the
   *     only factor
   */
  public record PodCount(
      List<FieldPath> factors,
      Optional<FieldPath> atLeast,
      Optional<FieldPath> atMost,
      Optional<FieldPath> minCount) {
    public PodCount {
      factors = List.copyOf(factors);
    }

    Stream<FieldPath> reads() {
      return Stream.of(factors.stream(), atLeast.stream(), atMost.stream(), minCount.stream())
          .flatMap(each -> each);
    }
  }

  /**
   * How objects tell what their pods do.
   *
   * @param running pods run if one of these holds
   * @param ready all pods are ready if one of these holds
   * @param active fields whose sum is the number of pods that haven't ended
   */
  public record Progress(List<Match> running, List<Match> ready, List<FieldPath> active) {
    public Progress {
      running = List.copyOf(running);
      ready = List.copyOf(ready);
      active = List.copyOf(active);
    }
  }

  /**
   * How objects tell that they have ended.
   *
   * @param finished it has ended if one of these holds; a kind without any never ends by itself
   * @param succeeded it has ended well if one of these holds, too
   * @param message why
   */
  public record End(List<Match> finished, List<Match> succeeded, Optional<FieldPath> message) {
    public End {
      finished = List.copyOf(finished);
      succeeded = List.copyOf(succeeded);
    }
  }

  /**
   * The condition that no object may fulfil.
   *
   * @param match holds for the objects that are refused
   * @param because a sentence with the remedy, without its period
   */
  public record RefusedIf(Match match, String because) {}

  /**
   * An object that the kind's controller creates.
   *
   * @param name the field with its name
   * @param suffix what its name has after that
   * @param podSet the pod set on whose quota it runs; empty if its pod sets are called as those of
   *     its owner
   */
  public record Child(
      String apiVersion, String kind, FieldPath name, String suffix, Optional<String> podSet) {}

  /** The paths of all that is read but the templates. */
  public List<FieldPath> reads() {
    return Stream.of(
            Stream.of(fields.suspend()),
            fields.managedBy().stream(),
            fields.priorityClass().stream(),
            podSets.stream().flatMap(PodSetDeclaration::reads),
            wraps.stream().flatMap(Wrapping::reads),
            Stream.of(progress.running(), progress.ready(), end.finished(), end.succeeded())
                .flatMap(matches -> matches.stream().flatMap(Match::reads)),
            progress.active().stream(),
            end.message().stream(),
            refusals.stream().flatMap(refusal -> refusal.match().reads()),
            children.stream().map(Child::name))
        .flatMap(each -> each)
        .toList();
  }
}
