// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Deletes objects: at once if nothing holds them, otherwise by a mark that their finalizers have to
 * answer. Pods on nodes are marked, too, where a client plays the kubelets ({@link PodGrace}).
 */
@API(status = API.Status.INTERNAL)
public final class Deletion {
  /** The finalizer of an owner whose dependents go first. */
  public static final String FOREGROUND = "foregroundDeletion";

  /** The finalizer of an owner whose dependents are to be released. */
  public static final String ORPHAN = "orphan";

  private static final Set<String> PROTECTED = Set.of("default", "kube-system", "kube-public");

  private final ObjectStore store;
  private final InstantSource clock;
  private final Admission admission;
  private final boolean kubelets;

  /**
   * Deletes objects of a store.
   *
   * @param kubelets whether somebody plays the kubelets, who remove pods that have ended
   */
  public Deletion(ObjectStore store, InstantSource clock, Admission admission, boolean kubelets) {
    this.kubelets = kubelets;
    this.store = store;
    this.clock = clock;
    this.admission = admission;
  }

  /**
   * Deletes one object or marks it for deletion.
   *
   * @throws ApiException 404 if there is none, 409 if a precondition fails, 403 for a namespace
   *     that must stay
   */
  public WriteResult delete(ServedResource resource, Key key, DeleteOptions options) {
    KindStore kind = store.kind(resource.storageName());
    while (true) {
      StoredObject current =
          kind.get(key).orElseThrow(() -> ObjectOperations.notFound(resource, key));
      checkPreconditions(resource, current, options);
      checkProtected(resource, key);
      ObjectNode marked = marked(resource, current.tree(), options);
      boolean gone = Versions.finalized(resource, marked);
      if (!gone && marked.equals(current.tree())) {
        return new WriteResult(current, WriteResult.Effect.CHANGED, List.of());
      }
      List<String> warnings = new ArrayList<>(orphanWarning(resource, options));
      admit(resource, current, options, warnings::add);
      WriteResult.Effect effect = gone ? WriteResult.Effect.GONE : WriteResult.Effect.CHANGED;
      if (options.dryRun()) {
        return new WriteResult(current, effect, warnings);
      }
      Optional<StoredObject> written =
          gone ? store.remove(kind, current, current.tree()) : store.replace(kind, current, marked);
      if (written.isPresent()) {
        return new WriteResult(written.get(), effect, warnings);
      }
    }
  }

  private void admit(
      ServedResource resource,
      StoredObject current,
      DeleteOptions options,
      Consumer<String> warnings) {
    Admission.Attempt attempt =
        new Admission.Attempt(
            resource,
            current.key(),
            "",
            Admission.WriteOperation.DELETE,
            resource.conversion().toServed(current.tree()),
            options.dryRun(),
            options.user(),
            warnings);
    // There is nothing to change, but those who may change objects may also refuse.
    Optional<ObjectNode> unused = admission.mutate(attempt, null);
    admission.validate(attempt, null);
  }

  private ObjectNode marked(ServedResource resource, ObjectNode tree, DeleteOptions options) {
    ObjectNode metadata = Trees.fresh(Trees.metadata(tree));
    Set<String> finalizers = new LinkedHashSet<>();
    metadata.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
    propagate(resource, options.propagation(), finalizers);
    setFinalizers(metadata, finalizers);
    int grace = kubelets ? PodGrace.seconds(resource, tree, options.gracePeriodSeconds()) : 0;
    boolean ended = grace == 0 && PodGrace.runs(resource, tree);
    boolean held = !finalizers.isEmpty() || !Versions.finalized(resource, tree);
    if (grace > 0 || ended) {
      PodGrace.mark(metadata, grace, clock.instant());
    } else if (held && !metadata.hasNonNull("deletionTimestamp")) {
      metadata.put("deletionTimestamp", Trees.time(clock.instant()));
      metadata.put("deletionGracePeriodSeconds", 0);
      if (metadata.has("generation")) {
        metadata.put("generation", metadata.path("generation").asInt() + 1);
      }
    }
    ObjectNode result = Trees.withMetadata(tree, metadata);
    if (resource.storageName().equals(BuiltInKinds.NAMESPACES)) {
      ObjectNode status = Trees.fresh(Trees.object(result, "status"));
      status.put("phase", "Terminating");
      result.set("status", status);
    }
    return result;
  }

  /** Writes finalizers into a fresh metadata object; none at all leaves no field. */
  public static void setFinalizers(ObjectNode freshMetadata, Set<String> finalizers) {
    if (finalizers.isEmpty()) {
      freshMetadata.remove("finalizers");
      return;
    }
    List<String> before = new ArrayList<>();
    freshMetadata.path("finalizers").forEach(finalizer -> before.add(finalizer.asText()));
    if (!before.equals(List.copyOf(finalizers))) {
      ArrayNode list = freshMetadata.putArray("finalizers");
      finalizers.forEach(list::add);
    }
  }

  private static void propagate(
      ServedResource resource, DeleteOptions.Propagation propagation, Set<String> finalizers) {
    switch (propagation) {
      case FOREGROUND -> {
        finalizers.remove(ORPHAN);
        finalizers.add(FOREGROUND);
      }
      case ORPHAN -> {
        finalizers.remove(FOREGROUND);
        finalizers.add(ORPHAN);
      }
      case BACKGROUND -> {
        finalizers.remove(FOREGROUND);
        finalizers.remove(ORPHAN);
      }
      case DEFAULT -> {
        if (orphansByDefault(resource)
            && !finalizers.contains(FOREGROUND)
            && !finalizers.contains(ORPHAN)) {
          finalizers.add(ORPHAN);
        }
      }
    }
  }

  /** For the sake of clients of its first versions, batch/v1 Jobs keep their pods by default. */
  private static boolean orphansByDefault(ServedResource resource) {
    return resource.group().equals("batch") && resource.plural().equals("jobs");
  }

  private static List<String> orphanWarning(ServedResource resource, DeleteOptions options) {
    return options.propagation() == DeleteOptions.Propagation.DEFAULT && orphansByDefault(resource)
        ? List.of(
            "child pods are preserved by default when jobs are deleted; set"
                + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
                + " suppress this warning")
        : List.of();
  }

  private static void checkPreconditions(
      ServedResource resource, StoredObject current, DeleteOptions options) {
    String uid = options.uid();
    if (!uid.isEmpty() && !uid.equals(current.uid())) {
      throw ApiErrors.conflict(
          resource.group(),
          resource.kind(),
          current.key().name(),
          "the UID in the precondition ("
              + uid
              + ") does not match the UID in record ("
              + current.uid()
              + "). The object might have been deleted and then recreated");
    }
    String revision = options.resourceVersion();
    if (!revision.isEmpty() && !revision.equals(Long.toString(current.revision()))) {
      throw ApiErrors.conflict(
          resource.group(),
          resource.kind(),
          current.key().name(),
          "the ResourceVersion in the precondition ("
              + revision
              + ") does not match the ResourceVersion in record ("
              + current.revision()
              + "). The object might have been modified");
    }
  }

  private static void checkProtected(ServedResource resource, Key key) {
    if (resource.storageName().equals(BuiltInKinds.NAMESPACES) && PROTECTED.contains(key.name())) {
      throw ApiErrors.forbidden(
          "", "namespaces", key.name(), "this namespace may not be deleted", List.of());
    }
  }

  /** The finalizers of an object, in order. */
  public static Set<String> finalizers(ObjectNode tree) {
    Set<String> finalizers = new LinkedHashSet<>();
    for (JsonNode finalizer : Trees.metadata(tree).path("finalizers")) {
      finalizers.add(finalizer.asText());
    }
    return finalizers;
  }
}
