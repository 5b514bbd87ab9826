// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.declared;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobProgress;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.PodSetAdditions;
import io.github.kueue4j.jobs.PodTemplates;
import io.github.kueue4j.jobs.Trimming;
import io.github.kueue4j.jobs.Unsupported;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A kind of Jobs by its declaration. Its controller runs an object while that isn't suspended, and
 * takes the templates as they are when it is resumed, so a start and a stop are one write each.
 *
 * <p>Pods are found by a label with the uid of their object, which a start adds to each template.
 */
@API(status = API.Status.INTERNAL)
public final class DeclaredKind implements JobKind<DeclaredJob> {
  /** The maps and the list of a template to which a start adds. */
  private static final List<FieldPath> ADDED_TO =
      Stream.of("metadata.labels", "metadata.annotations", "spec.nodeSelector", "spec.tolerations")
          .map(FieldPath::parse)
          .toList();

  /** The same, of the infos of a pod set. */
  private static final List<FieldPath> INFOS =
      Stream.of("labels", "annotations", "nodeSelector", "tolerations")
          .map(FieldPath::parse)
          .toList();

  private final KindDeclaration declaration;
  private final List<FieldPath> reads;

  public DeclaredKind(KindDeclaration declaration) {
    this.declaration = declaration;
    List<FieldPath> all = new ArrayList<>(declaration.reads());
    all.add(FieldPath.parse("apiVersion"));
    all.add(FieldPath.parse("kind"));
    declaration.podSets().forEach(podSet -> all.add(podSet.templates()));
    this.reads = List.copyOf(all);
  }

  @Override
  public String framework() {
    return declaration.framework();
  }

  @Override
  public ResourceType<DeclaredJob> type() {
    return declaration.type();
  }

  @Override
  public Optional<FieldPath> suspendField() {
    return Optional.of(suspend());
  }

  private FieldPath suspend() {
    return declaration.fields().suspend();
  }

  private List<PodSetPlace> places(DeclaredJob job) {
    return PodSetSearch.in(job, declaration).places();
  }

  @Override
  public List<PodSet> podSets(DeclaredJob job) {
    return places(job).stream()
        .map(
            found ->
                new PodSet(
                    found.name(),
                    PodTemplates.forWorkload(found.template()),
                    found.count(),
                    found.minCount()))
        .toList();
  }

  @Override
  public DeclaredJob trimmed(DeclaredJob read) {
    Trimming.metadata(read.getMetadata());
    PodSetPlace.PodSetPlaces all = PodSetSearch.in(read, declaration);
    if (declaration.wraps().isPresent() && !all.problems().isEmpty()) {
      return DeclaredJob.kept(read.getMetadata(), read.body(), Map.of()); // What is wrong is where.
    }
    List<FieldPath> kept = new ArrayList<>(reads);
    Map<FieldPath, V1PodTemplateSpec> templates = new HashMap<>();
    for (PodSetPlace found : all.places()) {
      kept.add(found.place());
      if (found.written()) {
        templates.put(found.place(), Trimming.template(found.template()));
      }
    }
    JsonObject body = FieldPath.kept(read.body(), kept).getAsJsonObject();
    // A wrapped Pod is its own template, and says of which kind it is.
    JsonObject outside =
        declaration.wraps().isEmpty()
            ? new JsonObject()
            : FieldPath.kept(read.body(), declaration.reads()).getAsJsonObject();
    templates
        .keySet()
        .forEach(place -> place.set(body, place.in(outside).orElseGet(JsonObject::new)));
    return DeclaredJob.kept(read.getMetadata(), body, templates);
  }

  @Override
  public Optional<String> podPriorityClass(DeclaredJob job) {
    return declaration
        .fields()
        .priorityClass()
        .flatMap(path -> path.textIn(job.body()))
        .or(
            () ->
                places(job).stream()
                    .flatMap(found -> PodTemplates.priorityClass(found.template()).stream())
                    .findFirst());
  }

  @Override
  public Optional<String> managedBy(DeclaredJob job) {
    return declaration.fields().managedBy().flatMap(path -> path.textIn(job.body()));
  }

  @Override
  public Optional<Unsupported> runsElsewhere(DeclaredJob job) {
    return declaration
        .fields()
        .managedBy()
        .flatMap(path -> Unsupported.managedBy(path.toString(), path.textIn(job.body())));
  }

  @Override
  public Optional<String> refusal(DeclaredJob job) {
    JsonObject body = job.body();
    PodSetPlace.PodSetPlaces found = PodSetSearch.in(job, declaration);
    return suspend()
        .obstacleIn(body)
        .map(is -> is + "; write an object, for " + suspend())
        .or(
            () ->
                declaration.refusals().stream()
                    .filter(refusal -> refusal.match().holds(body))
                    .map(KindDeclaration.RefusedIf::because)
                    .findFirst())
        .or(() -> found.problems().stream().findFirst())
        .or(() -> Optional.of("it has no pods").filter(none -> found.places().isEmpty()));
  }

  @Override
  public Optional<FinishedOwner> finished(DeclaredJob job) {
    KindDeclaration.End end = declaration.end();
    JsonObject body = job.body();
    return end.finished().stream()
        .filter(match -> match.holds(body))
        .findFirst()
        .map(
            match ->
                new FinishedOwner(
                    Match.any(end.succeeded(), body) ? "Succeeded" : "Failed",
                    match
                        .message(body)
                        .filter(text -> !text.isEmpty())
                        .or(() -> end.message().flatMap(path -> path.textIn(body)))
                        .orElse("")));
  }

  @Override
  public Optional<String> finishedIf() {
    List<Match> finished = declaration.end().finished();
    return finished.isEmpty() ? Optional.empty() : Optional.of(Match.words(finished));
  }

  @Override
  public boolean suspended(DeclaredJob job) {
    return suspend().isTrueIn(job.body());
  }

  @Override
  public boolean stopped(DeclaredJob job) {
    return suspended(job) && !podsRun(job);
  }

  @Override
  public boolean podsReady(DeclaredJob job) {
    return Match.any(declaration.progress().ready(), job.body());
  }

  private int active(DeclaredJob job) {
    JsonObject body = job.body();
    return (int)
        declaration.progress().active().stream()
            .flatMap(path -> path.allIn(body).stream())
            .filter(each -> each instanceof JsonPrimitive number && number.isNumber())
            .mapToDouble(JsonElement::getAsDouble)
            .sum();
  }

  @Override
  public JobProgress progress(DeclaredJob job) {
    String counted = declaration.progress().active().isEmpty() ? "" : "pods";
    return new JobProgress(counted, active(job), null, null);
  }

  @Override
  public boolean podsRun(DeclaredJob job) {
    return active(job) > 0 || Match.any(declaration.progress().running(), job.body());
  }

  @Override
  public String podSelector(DeclaredJob job) {
    return podSelector(Uids.of(job));
  }

  @Override
  public String podSelector(String uid) {
    return Keys.JOB_UID + "=" + uid;
  }

  @Override
  public Map<String, Integer> reclaimablePods(DeclaredJob job) {
    return places(job).stream()
        .filter(found -> found.reclaimable() > 0)
        .collect(Collectors.toMap(PodSetPlace::name, PodSetPlace::reclaimable));
  }

  @Override
  public boolean createsJobs() {
    return !declaration.children().isEmpty() || declaration.wraps().isPresent();
  }

  /** The controller of wrapped objects leaves them as it made them. */
  @Override
  public boolean resumesJobs() {
    return declaration.wraps().isEmpty();
  }

  /**
   * By kind, name and size. The names stand in the status, which users don't write, or are those
   * that the kind's controller gives.
   */
  @Override
  public boolean creates(DeclaredJob job, ChildJob child) {
    JsonObject tree = KueueJson.toTree(job).getAsJsonObject();
    List<PodSetPlace> places = places(job);
    return child.sound() && (wraps(job, child, places) || isChild(tree, child, places));
  }

  private boolean isChild(JsonObject tree, ChildJob child, List<PodSetPlace> places) {
    return declaration.children().stream()
        .filter(declared -> child.type().isNamed(declared.apiVersion(), declared.kind()))
        .filter(
            declared ->
                declared
                    .name()
                    .textIn(tree)
                    .filter(name -> child.name().equals(name + declared.suffix()))
                    .isPresent())
        .anyMatch(
            declared ->
                child.podSets().stream()
                    .allMatch(pods -> covers(places, declared.podSet().orElse(pods.name()), pods)));
  }

  /** Each of the child's pod sets is covered by another one of the object that is wrapped. */
  private boolean wraps(DeclaredJob job, ChildJob child, List<PodSetPlace> places) {
    JsonObject body = job.body();
    return declaration.wraps().stream()
        .flatMap(wraps -> wraps.objects(body))
        .filter(
            object ->
                child
                        .type()
                        .isNamed(
                            text(object.child("apiVersion"), body),
                            text(object.child("kind"), body))
                    && child
                        .name()
                        .equals(text(FieldPath.parse("metadata.name").below(object), body)))
        .anyMatch(
            object -> {
              List<PodSetPlace> left =
                  places.stream()
                      .filter(found -> found.place().isIn(object))
                      .collect(Collectors.toCollection(ArrayList::new));
              return child.podSets().stream()
                  .allMatch(
                      pods ->
                          left.stream()
                              .filter(found -> covers(List.of(found), found.name(), pods))
                              .min(Comparator.comparingInt(PodSetPlace::count))
                              .filter(left::remove)
                              .isPresent());
            });
  }

  private static String text(FieldPath path, JsonObject body) {
    return path.textIn(body).orElse("");
  }

  private static boolean covers(List<PodSetPlace> places, String podSet, PodSet pods) {
    return places.stream()
        .filter(found -> found.name().equals(podSet) && pods.count() <= found.count())
        .anyMatch(
            found ->
                found.madeUp()
                    ? PodSetPlace.standsFor(found.template(), pods.template())
                    : Equivalence.sameResources(pods.template(), found.template()));
  }

  /** Its controller may leave pods when it has ended, as {@code cleanPodPolicy} has it. */
  @Override
  public boolean leavesPods() {
    return true;
  }

  @Override
  public Start<DeclaredJob> start(DeclaredJob job, List<PodSetAdditions> podSets) {
    Optional<String> refusal = refusal(job);
    if (refusal.isPresent()) {
      return new Start.Impossible<>(refusal.get());
    }
    JsonObject after = job.copied();
    for (PodSetPlace found : places(job)) {
      Optional<PodSetAdditions> additions =
          podSets.stream().filter(each -> each.name().equals(found.name())).findFirst();
      if (additions.isEmpty()) {
        return new Start.Impossible<>(
            "the admission has no assignment for pod set " + found.name());
      }
      V1PodTemplateSpec template = PodTemplates.copy(found.template(), V1PodTemplateSpec.class);
      Optional<String> conflict = PodTemplates.start(template, additions.get());
      if (conflict.isPresent()) {
        return new Start.Impossible<>(conflict.get());
      }
      if (found.infos().isPresent()) {
        String uid = template.getMetadata().getLabels().get(Keys.JOB_UID);
        if (uid != null && !uid.equals(Uids.of(job))) {
          return new Start.Impossible<>(
              "%s has the label %s, which a start adds; remove it"
                  .formatted(found.place(), Keys.JOB_UID));
        }
        write(additions.get(), Uids.of(job), found.infos().get(), after);
      } else if (found.written()) {
        template.getMetadata().putLabelsItem(Keys.JOB_UID, Uids.of(job));
        write(template, found.place(), after);
      }
      if (found.isFewer(additions.get().count())) {
        setCount(found, found.countFor(additions.get().count()), after);
      }
    }
    suspend().set(after, new JsonPrimitive(false));
    return new Start.Ready<>(new DeclaredJob(job.getMetadata(), after));
  }

  @Override
  public Optional<StopStep<DeclaredJob>> nextStopStep(DeclaredJob job, List<PodSet> podSets) {
    return stopStep(job, podSets, found -> marked(found, job));
  }

  @Override
  public Optional<StopStep<DeclaredJob>> nextUndoStep(DeclaredJob job, List<PodSet> podSets) {
    return suspended(job)
        ? nextStopStep(job, podSets)
        : stopStep(job, podSets, PodSetPlace::written);
  }

  private Optional<StopStep<DeclaredJob>> stopStep(
      DeclaredJob job, List<PodSet> podSets, Predicate<PodSetPlace> started) {
    List<PodSetPlace> places = places(job);
    if ((suspended(job) && places.stream().noneMatch(started))
        || suspend().obstacleIn(job.body()).isPresent()) {
      return Optional.empty(); // Where nothing can be written, the refusal tells why.
    }
    JsonObject after = job.copied();
    for (PodSetPlace found : places) {
      found.infos().ifPresent(infos -> infos.list().remove(after));
      podSets.stream()
          .filter(podSet -> podSet.name().equals(found.name()))
          .findFirst()
          .ifPresent(original -> restore(found, started.test(found), original, after));
    }
    suspend().set(after, new JsonPrimitive(true));
    return after.equals(job.copied())
        ? Optional.empty()
        : Optional.of(
            new StopStep<>(new DeclaredJob(job.getMetadata(), after), StopWrite.OBJECT, true));
  }

  private static boolean marked(PodSetPlace found, DeclaredJob job) {
    return found
        .infos()
        .map(infos -> infos.isIn(job.body()))
        .orElseGet(() -> found.written() && PodTemplates.marked(found.template()));
  }

  @Override
  public Optional<FieldPath> dropped(DeclaredJob before, DeclaredJob sent, DeclaredJob stored) {
    JsonObject had = before.copied();
    JsonObject asked = sent.copied();
    JsonObject kept = stored.copied();
    return places(stored).stream()
        .filter(PodSetPlace::written)
        .flatMap(
            found ->
                found
                    .infos()
                    .map(infos -> INFOS.stream().map(field -> field.below(infos.item())))
                    .orElseGet(() -> ADDED_TO.stream().map(field -> field.below(found.place()))))
        .filter(
            field -> {
              Set<String> added = keys(field, asked);
              added.removeAll(keys(field, had));
              return !keys(field, kept).containsAll(added);
            })
        .findFirst();
  }

  /** The keys of a map, or those that the items of a list have in their field {@code key}. */
  private static Set<String> keys(FieldPath field, JsonObject object) {
    return switch (field.in(object).orElse(null)) {
      case JsonObject map -> new HashSet<>(map.keySet());
      case JsonArray list ->
          list.asList().stream()
              .map(item -> FieldPath.of("key").textIn(item).orElse(""))
              .collect(Collectors.toCollection(HashSet::new));
      case null, default -> new HashSet<>();
    };
  }

  private static void restore(
      PodSetPlace found, boolean started, PodSet original, JsonObject after) {
    if (started && found.infos().isEmpty()) {
      V1PodTemplateSpec template = PodTemplates.copy(found.template(), V1PodTemplateSpec.class);
      PodTemplates.restore(template, original.template());
      write(template, found.place(), after);
    }
    if (original.minCount() != null && found.count() < original.count()) {
      setCount(found, original.count(), after);
    }
  }

  private static void setCount(PodSetPlace found, int pods, JsonObject after) {
    found.fewer().ifPresent(fewer -> fewer.count().set(after, new JsonPrimitive(pods)));
  }

  /** Writes what the pods of a pod set get where the object says that beside its template. */
  private static void write(
      PodSetAdditions additions, String uid, PodSetPlace.Infos infos, JsonObject body) {
    if (infos.index() == 0) {
      JsonArray list = new JsonArray();
      IntStream.range(0, infos.size()).forEach(i -> list.add(new JsonObject()));
      infos.list().set(body, list);
    }
    JsonObject labels = PodSetAdditions.json(additions.labels());
    labels.addProperty(Keys.JOB_UID, uid);
    List<JsonElement> values =
        List.of(
            labels,
            PodSetAdditions.json(additions.annotations()),
            PodSetAdditions.json(additions.nodeSelector()),
            KueueJson.toTree(additions.tolerations()));
    for (int i = 0; i < values.size(); i++) {
      if (!values.get(i).equals(new JsonObject()) && !values.get(i).equals(new JsonArray())) {
        INFOS.get(i).below(infos.item()).set(body, values.get(i));
      }
    }
  }

  /** Writes what a start or a stop changes of a template, and leaves the rest of it as it is. */
  private static void write(V1PodTemplateSpec template, FieldPath place, JsonObject body) {
    JsonObject changed = KueueJson.toTree(template).getAsJsonObject();
    for (String field :
        List.of(
            "metadata.labels",
            "metadata.annotations",
            "spec.nodeSelector",
            "spec.tolerations",
            "spec.schedulingGates")) {
      FieldPath path = FieldPath.parse(field);
      FieldPath target = path.below(place);
      Optional<JsonElement> value = path.in(changed);
      if (value.isPresent()) {
        target.set(body, value.get());
      } else {
        target.remove(body);
      }
    }
    // Metadata that a start has made.
    FieldPath metadata = FieldPath.of("metadata").below(place);
    metadata.in(body).filter(new JsonObject()::equals).ifPresent(empty -> metadata.remove(body));
  }
}
