// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.JsonWords;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInputReader;
import io.github.kueue4j.observe.explain.Explanation;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** An object whose pods are queued in its place, with the pods that its controller makes first. */
final class NewServing {
  /** The most pods of which each is scheduled; the Kubernetes API knows no such limit. */
  private static final int MOST = 5_000;

  private static final String LEADER_WORKER_SET = "leaderworkerset.sigs.k8s.io/";

  private static final FieldPath LABELS = FieldPath.of("metadata", "labels");
  private static final FieldPath QUEUE = LABELS.child(Keys.QUEUE_NAME);
  private static final FieldPath PAUSED = FieldPath.of("spec", "paused");
  private static final FieldPath OWNERS = FieldPath.of("metadata", "ownerReferences");

  private final DryRun run;
  private final ServingKind kind;
  private final ObjectKey key;
  private final List<String> warnings = new ArrayList<>();

  NewServing(DryRun run, ServingKind kind, ObjectKey key) {
    this.run = run;
    this.kind = kind;
    this.key = key;
  }

  DryRunResult result(Manifest manifest) {
    Optional<String> unreadable = unreadable(manifest.tree());
    if (unreadable.isPresent()) {
      return result(
          DryRunOutcome.REFUSED, "It is refused: it can't be read: " + unreadable.get() + ".");
    }
    Optional<String> invalid = invalid(manifest.tree());
    if (invalid.isPresent()) {
      return result(DryRunOutcome.REFUSED, "It is refused: " + invalid.get() + ".");
    }
    Creation creation = Creation.ofServing(run, kind, manifest);
    warnings.addAll(creation.warnings());
    return creation
        .refusal()
        .map(why -> result(DryRunOutcome.REFUSED, "It is refused: " + why + "."))
        .or(
            () ->
                run.unknown(kind.type(), key.namespace())
                    .map(why -> result(DryRunOutcome.UNKNOWN, why)))
        .orElseGet(() -> created(creation.object()))
        .warning(warnings)
        .warning(run.remarks());
  }

  /** The problem that a field which matters here has a value of another type. */
  private Optional<String> unreadable(JsonObject tree) {
    if (!(tree.get("spec") instanceof JsonObject)) {
      return Optional.empty(); // The API server says so.
    }
    try {
      KueueJson.fromTree(tree, kind.type()).spec();
      kind.templates().stream()
          .flatMap(place -> place.in(tree).stream())
          .forEach(template -> KueueJson.fromTree(template, V1PodTemplateSpec.class));
      if (ServingKind.LEADER_WORKER_SET.equals(kind)) {
        // A reader of text, unlike one of trees, doesn't cut numbers.
        KueueJson.fromServer(new StringReader(KueueJson.toJson(tree)), LeaderWorkerSet.TYPE);
      }
      return Optional.empty();
    } catch (InvalidFieldException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (JsonParseException e) {
      return Optional.of(JsonWords.of(e));
    }
  }

  /** The problems for which the definition of LeaderWorkerSets refuses an object. */
  private Optional<String> invalid(JsonObject tree) {
    if (!ServingKind.LEADER_WORKER_SET.equals(kind) || !(tree.get("spec") instanceof JsonObject)) {
      return Optional.empty();
    }
    int size = KueueJson.fromTree(tree, LeaderWorkerSet.TYPE).size();
    if (size < 1) {
      return Optional.of(
          "spec.leaderWorkerTemplate.size: Invalid value: %d: it has to be at least 1"
              .formatted(size));
    }
    FieldPath workers = kind.templates().getLast();
    return workers.in(tree).isEmpty()
        ? Optional.of(workers + ": Required value")
        : Optional.empty();
  }

  private DryRunResult result(DryRunOutcome outcome, String summary) {
    return DryRunResult.of(kind.type().kind(), key, outcome, summary);
  }

  private DryRunResult created(JsonObject tree) {
    var object = KueueJson.fromTree(tree, kind.type());
    V1ObjectMeta metadata = Objects.requireNonNull(object.getMetadata(), "metadata");
    run.create(metadata);
    run.objects().put(kind.type(), object);
    if (!run.configuration().integrations().serving().contains(kind)
        || (JobWorkload.queueName(object).isEmpty() && queueOf(tree).isEmpty())) {
      return unqueued();
    }
    if (!kind.grouped() && PAUSED.in(tree).filter(new JsonPrimitive(true)::equals).isPresent()) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "It has no pods: spec.paused is true. Nothing is queued before it is resumed.");
    }
    int replicas = object.spec().replicas().orElse(1);
    if (replicas <= 0) {
      return result(
          DryRunOutcome.NOT_QUEUED,
          "It has no pods: spec.replicas is %d. Nothing is queued before it is scaled up."
              .formatted(replicas));
    }
    if (ServingKind.LEADER_WORKER_SET.equals(kind)) {
      LeaderWorkerSet set = KueueJson.fromTree(tree, LeaderWorkerSet.TYPE);
      set.metadata().uid(metadata.getUid());
      run.objects().put(LeaderWorkerSet.TYPE, set);
    }
    return withPods(tree, names(object.spec(), replicas));
  }

  private DryRunResult unqueued() {
    Explanation why =
        Explain.why(
            new ExplainInputReader(run.objects(), run.configuration())
                .read(
                    key.namespace(),
                    kind.type().kind().toLowerCase(Locale.ROOT) + "/" + key.name()),
            run.now());
    return result(DryRunOutcome.NOT_QUEUED, why.summary()).explainedBy(why);
  }

  /** The pods that are there first: all of a Deployment, and the first of each group of others. */
  private List<String> names(ServingKind.Replicas spec, int replicas) {
    if (!kind.grouped()) {
      return numbered(key.name() + "-xxxxx-", replicas);
    }
    if (ServingKind.LEADER_WORKER_SET.equals(kind)) {
      return numbered(key.name() + "-", replicas);
    }
    return List.of(
        key.name() + "-" + spec.ordinals().flatMap(ServingKind.Ordinals::start).orElse(0));
  }

  private List<String> numbered(String prefix, int count) {
    if (count > MOST) {
      warnings.add("only the first %d of its %d pods or groups were tried".formatted(MOST, count));
    }
    return IntStream.range(0, Math.min(count, MOST)).mapToObj(number -> prefix + number).toList();
  }

  private DryRunResult withPods(JsonObject tree, List<String> names) {
    List<List<V1Pod>> units = new ArrayList<>();
    for (String name : names) {
      ObjectKey pod = new ObjectKey(key.namespace(), name);
      Creation creation = Creation.ofPod(run, NewPods.KIND, pod, pod(tree, pod, units.size()));
      if (creation.refusal().isPresent()) {
        return result(
            DryRunOutcome.NOT_QUEUED,
            "Its pods can't be created: " + creation.refusal().get() + ".");
      }
      units.add(List.of(KueueJson.fromTree(creation.object(), CoreTypes.POD)));
    }
    return new NewPods(run, kind.type().kind(), key)
        .result(units, kind.grouped() ? "group" : "pod");
  }

  private Optional<String> queueOf(JsonObject tree) {
    return QUEUE.textIn(template(tree)).filter(name -> !name.isEmpty());
  }

  /** The template of the pods that are there first. */
  private JsonObject template(JsonObject tree) {
    return kind.templates().stream()
        .flatMap(place -> place.in(tree).stream())
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .findFirst()
        .orElseGet(JsonObject::new);
  }

  /** A pod as the kind's controller makes it. */
  private JsonObject pod(JsonObject tree, ObjectKey pod, int number) {
    JsonObject made = template(tree).deepCopy();
    JsonObject metadata =
        made.get("metadata") instanceof JsonObject present ? present : new JsonObject();
    metadata.addProperty("namespace", pod.namespace());
    metadata.addProperty("name", pod.name());
    made.addProperty("apiVersion", CoreTypes.POD.apiVersion());
    made.addProperty("kind", CoreTypes.POD.kind());
    made.add("metadata", metadata);
    OWNERS.set(made, KueueJson.toTree(List.of(owner())));
    if (ServingKind.LEADER_WORKER_SET.equals(kind)) {
      Map.of("name", key.name(), "group-index", String.valueOf(number), "worker-index", "0")
          .forEach(
              (label, value) ->
                  LABELS.child(LEADER_WORKER_SET + label).set(made, new JsonPrimitive(value)));
    }
    return made;
  }

  /** A Deployment has its pods by a ReplicaSet, a LeaderWorkerSet its leaders by a StatefulSet. */
  private V1OwnerReference owner() {
    return new V1OwnerReference()
        .apiVersion("apps/v1")
        .kind(kind.grouped() ? "StatefulSet" : "ReplicaSet")
        .name(kind.grouped() ? key.name() : key.name() + "-xxxxx")
        .uid(run.objects().find(kind.type(), key).map(Uids::of).orElse(""))
        .controller(true);
  }
}
