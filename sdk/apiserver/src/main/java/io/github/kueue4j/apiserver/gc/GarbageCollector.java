// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.gc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.DeleteOptions;
import io.github.kueue4j.apiserver.objects.Deletion;
import io.github.kueue4j.apiserver.objects.ObjectOperations;
import io.github.kueue4j.apiserver.objects.WriteOptions;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Change;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes dependents of deleted owners, and the contents of namespaces and
 * CustomResourceDefinitions that are being deleted. One thread follows all changes, so deletions
 * come soon after their cause but not with it, as on a real cluster.
 */
@API(status = API.Status.INTERNAL)
public final class GarbageCollector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);
  private static final String DEFINITION_CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  /** Where an object is. */
  private record ObjectRef(KindStore kind, Key key) {}

  private record Work(KindStore kind, Change change) {}

  private final ObjectStore store;
  private final ResourceRegistry registry;
  private final ObjectOperations objects;
  private final Deletion deletion;
  private final boolean keepsOrphans;
  private final LinkedBlockingQueue<Work> work = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofVirtual().name("api-gc").unstarted(this::run);

  // Only the collector's own thread touches these.
  private final Map<String, ObjectRef> alive = new HashMap<>();
  private final Map<String, Set<ObjectRef>> dependents = new HashMap<>();

  /**
   * A collector, not yet started.
   *
   * @param keepsOrphans whether objects stay whose owners are gone
   */
  public GarbageCollector(
      ObjectStore store,
      ResourceRegistry registry,
      ObjectOperations objects,
      Deletion deletion,
      boolean keepsOrphans) {
    this.store = store;
    this.registry = registry;
    this.objects = objects;
    this.deletion = deletion;
    this.keepsOrphans = keepsOrphans;
  }

  public void start() {
    thread.start();
  }

  /** Takes note of a change; called for every change in order. */
  public void changed(KindStore kind, Change change) {
    work.add(new Work(kind, change));
  }

  @Override
  public void close() {
    thread.interrupt();
    if (thread.getState() != Thread.State.NEW) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void run() {
    try {
      while (true) {
        Work next = work.take();
        Change change = next.change();
        try {
          process(next.kind(), change);
        } catch (ApiException e) {
          LOG.atDebug()
              .addKeyValue("kind", next.kind().name())
              .addKeyValue("object", change.object().key())
              .addKeyValue("cause", e.text())
              .log("collection step refused");
        } catch (RuntimeException e) {
          LOG.atError()
              .addKeyValue("kind", next.kind().name())
              .addKeyValue("object", change.object().key())
              .setCause(e)
              .log("collection step failed");
        }
      }
    } catch (InterruptedException e) {
      // Closed.
      Thread.currentThread().interrupt();
    }
  }

  private void process(KindStore kind, Change change) {
    ObjectRef objectRef = new ObjectRef(kind, change.object().key());
    index(objectRef, change);
    ObjectNode tree = change.object().tree();
    if (change.changeType() == Change.ChangeType.DELETED) {
      if (!keepsOrphans) {
        ownerGone(Trees.uid(tree));
      }
      containerMayBeEmpty(kind, objectRef.key());
      for (String owner : owners(tree).keySet()) {
        dependentGone(owner);
      }
      return;
    }
    if (change.changeType() == Change.ChangeType.ADDED && !hasContainers(objectRef)) {
      delete(objectRef, DeleteOptions.Propagation.BACKGROUND, Trees.uid(tree));
      return;
    }
    if (Trees.deleting(tree)) {
      Set<String> finalizers = Deletion.finalizers(tree);
      if (finalizers.contains(Deletion.ORPHAN)) {
        releaseDependents(objectRef, Trees.uid(tree));
      } else if (finalizers.contains(Deletion.FOREGROUND)) {
        deleteDependentsFirst(objectRef, Trees.uid(tree));
      }
      if (kind.name().equals(BuiltInKinds.NAMESPACES)) {
        emptyNamespace(objectRef.key().name());
      } else if (kind.name().equals(BuiltInKinds.DEFINITIONS)) {
        emptyDefinition(objectRef.key().name());
      }
    }
    Map<String, JsonNode> owners = owners(tree);
    if (!keepsOrphans
        && !owners.isEmpty()
        && owners.keySet().stream().noneMatch(alive::containsKey)) {
      delete(objectRef, DeleteOptions.Propagation.BACKGROUND, Trees.uid(tree));
    }
  }

  private void index(ObjectRef objectRef, Change change) {
    StoredObject previous = change.previous();
    if (previous != null) {
      for (String owner : owners(previous.tree()).keySet()) {
        Set<ObjectRef> known = dependents.get(owner);
        if (known != null) {
          known.remove(objectRef);
          if (known.isEmpty()) {
            dependents.remove(owner);
          }
        }
      }
    }
    ObjectNode tree = change.object().tree();
    if (change.changeType() == Change.ChangeType.DELETED) {
      alive.remove(Trees.uid(tree));
      return;
    }
    alive.put(Trees.uid(tree), objectRef);
    for (String owner : owners(tree).keySet()) {
      dependents.computeIfAbsent(owner, uid -> new LinkedHashSet<>()).add(objectRef);
    }
  }

  private static Map<String, JsonNode> owners(ObjectNode tree) {
    Map<String, JsonNode> owners = new HashMap<>();
    for (JsonNode owner : Trees.metadata(tree).path("ownerReferences")) {
      owners.put(Trees.text(owner, "uid"), owner);
    }
    return owners;
  }

  private List<ObjectRef> dependentsOf(String uid) {
    return List.copyOf(dependents.getOrDefault(uid, Set.of()));
  }

  /** Deletes the dependents of an owner that is gone, unless another owner holds them. */
  private void ownerGone(String uid) {
    for (ObjectRef dependent : dependentsOf(uid)) {
      Optional<StoredObject> object = dependent.kind().get(dependent.key());
      if (object.isEmpty()) {
        continue;
      }
      Set<String> others = new HashSet<>(owners(object.get().tree()).keySet());
      others.remove(uid);
      if (others.stream().anyMatch(alive::containsKey)) {
        dropOwner(dependent, uid);
      } else {
        delete(dependent, DeleteOptions.Propagation.BACKGROUND, object.get().uid());
      }
    }
  }

  private void releaseDependents(ObjectRef owner, String uid) {
    for (ObjectRef dependent : dependentsOf(uid)) {
      dropOwner(dependent, uid);
    }
    removeFinalizer(owner, Deletion.ORPHAN);
  }

  private void deleteDependentsFirst(ObjectRef owner, String uid) {
    boolean blocked = false;
    for (ObjectRef dependent : dependentsOf(uid)) {
      Optional<StoredObject> object = dependent.kind().get(dependent.key());
      if (object.isEmpty()) {
        continue;
      }
      JsonNode reference = owners(object.get().tree()).get(uid);
      blocked |= reference != null && reference.path("blockOwnerDeletion").asBoolean();
      if (!Trees.deleting(object.get().tree())) {
        delete(dependent, DeleteOptions.Propagation.FOREGROUND, object.get().uid());
      }
    }
    if (!blocked) {
      removeFinalizer(owner, Deletion.FOREGROUND);
    }
  }

  /** An owner that waits for its dependents may go when the last one is gone. */
  private void dependentGone(String ownerUid) {
    ObjectRef owner = alive.get(ownerUid);
    if (owner == null) {
      return;
    }
    Optional<StoredObject> object = owner.kind().get(owner.key());
    if (object.isPresent()
        && Trees.deleting(object.get().tree())
        && Deletion.finalizers(object.get().tree()).contains(Deletion.FOREGROUND)) {
      deleteDependentsFirst(owner, ownerUid);
    }
  }

  private void emptyNamespace(String namespace) {
    for (KindStore kind : store.kinds()) {
      for (StoredObject object : kind.current(namespace)) {
        if (!Trees.deleting(object.tree())) {
          delete(
              new ObjectRef(kind, object.key()),
              DeleteOptions.Propagation.BACKGROUND,
              object.uid());
        }
      }
    }
    finishNamespace(namespace);
  }

  private void finishNamespace(String namespace) {
    boolean empty = store.kinds().stream().allMatch(kind -> kind.current(namespace).isEmpty());
    KindStore namespaces = store.kind(BuiltInKinds.NAMESPACES);
    Key key = new Key("", namespace);
    Optional<StoredObject> object = namespaces.get(key);
    if (empty && object.isPresent() && Trees.deleting(object.get().tree())) {
      edit(
          new ObjectRef(namespaces, key),
          "finalize",
          tree -> {
            ObjectNode spec = Trees.fresh(Trees.object(tree, "spec"));
            spec.remove("finalizers");
            return Trees.with(tree, "spec", spec);
          });
    }
  }

  private void emptyDefinition(String name) {
    KindStore kind = store.kind(storageOf(name));
    for (StoredObject object : List.copyOf(kind.current(""))) {
      if (!Trees.deleting(object.tree())) {
        delete(
            new ObjectRef(kind, object.key()), DeleteOptions.Propagation.BACKGROUND, object.uid());
      }
    }
    finishDefinition(name);
  }

  private void finishDefinition(String name) {
    KindStore definitions = store.kind(BuiltInKinds.DEFINITIONS);
    Key key = new Key("", name);
    Optional<StoredObject> object = definitions.get(key);
    if (store.kind(storageOf(name)).isEmpty()
        && object.isPresent()
        && Trees.deleting(object.get().tree())) {
      removeFinalizer(new ObjectRef(definitions, key), DEFINITION_CLEANUP);
    }
  }

  /** {@code jobs.example.com} is stored as {@code example.com/jobs}. */
  private static String storageOf(String definition) {
    int dot = definition.indexOf('.');
    return definition.substring(dot + 1) + "/" + definition.substring(0, Math.max(0, dot));
  }

  private static String definitionOf(KindStore kind) {
    int slash = kind.name().indexOf('/');
    return kind.name().substring(slash + 1) + "." + kind.name().substring(0, slash);
  }

  /**
   * Whether the namespace of a new object and the definition of its kind stay. They did when its
   * creation began, but the admission takes time, and their contents may have been deleted
   * meanwhile.
   */
  private boolean hasContainers(ObjectRef objectRef) {
    String namespace = objectRef.key().namespace();
    boolean builtIn =
        registry.stored(objectRef.kind().name()).filter(kind -> !kind.custom()).isPresent();
    return (namespace.isEmpty() || stays(BuiltInKinds.NAMESPACES, namespace))
        && (builtIn || stays(BuiltInKinds.DEFINITIONS, definitionOf(objectRef.kind())));
  }

  private boolean stays(String kind, String name) {
    return store
        .kind(kind)
        .get(new Key("", name))
        .filter(o -> !Trees.deleting(o.tree()))
        .isPresent();
  }

  /** After a deletion: was it the last object that a namespace or definition waited for? */
  private void containerMayBeEmpty(KindStore kind, Key key) {
    if (!key.namespace().isEmpty()) {
      finishNamespace(key.namespace());
    }
    if (kind.name().indexOf('/') > 0) {
      finishDefinition(definitionOf(kind));
    }
  }

  private void delete(ObjectRef objectRef, DeleteOptions.Propagation propagation, String uid) {
    Optional<ServedResource> resource = registry.stored(objectRef.kind().name());
    if (resource.isEmpty()) {
      removeUndefined(objectRef, uid);
      return;
    }
    try {
      deletion.delete(
          resource.get(),
          objectRef.key(),
          new DeleteOptions(propagation, uid, "", false, null, User.SERVER));
    } catch (ApiException e) {
      // Gone, or another object by that name: either way it isn't ours to delete any more.
      if (e.code() != 404 && e.code() != 409) {
        throw e;
      }
    }
  }

  /** Removes an object, whatever its finalizers: no client can, as its definition is gone. */
  private void removeUndefined(ObjectRef objectRef, String uid) {
    KindStore kind = objectRef.kind();
    if (store.kind(BuiltInKinds.DEFINITIONS).get(new Key("", definitionOf(kind))).isEmpty()) {
      Optional<StoredObject> late;
      do { // A write that was under way may come between.
        late = kind.get(objectRef.key()).filter(object -> object.uid().equals(uid));
      } while (late.isPresent() && store.remove(kind, late.get(), late.get().tree()).isEmpty());
    }
  }

  private void dropOwner(ObjectRef objectRef, String uid) {
    edit(
        objectRef,
        "",
        tree -> {
          ObjectNode metadata = Trees.fresh(Trees.metadata(tree));
          ArrayNode kept = metadata.arrayNode();
          for (JsonNode owner : metadata.path("ownerReferences")) {
            if (!Trees.text(owner, "uid").equals(uid)) {
              kept.add(owner);
            }
          }
          metadata.set("ownerReferences", kept);
          return Trees.withMetadata(tree, metadata);
        });
  }

  private void removeFinalizer(ObjectRef objectRef, String finalizer) {
    edit(
        objectRef,
        "",
        tree -> {
          Set<String> finalizers = Deletion.finalizers(tree);
          finalizers.remove(finalizer);
          ObjectNode metadata = Trees.fresh(Trees.metadata(tree));
          Deletion.setFinalizers(metadata, finalizers);
          return Trees.withMetadata(tree, metadata);
        });
  }

  private void edit(ObjectRef objectRef, String subresource, UnaryOperator<ObjectNode> change) {
    Optional<ServedResource> resource = registry.stored(objectRef.kind().name());
    if (resource.isEmpty()) {
      return;
    }
    try {
      objects.patch(
          resource.get(), objectRef.key(), subresource, change, "", WriteOptions.INTERNAL);
    } catch (ApiException e) {
      if (e.code() != 404) {
        throw e;
      }
    }
  }
}
