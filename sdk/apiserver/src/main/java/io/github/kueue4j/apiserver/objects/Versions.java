// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.BuiltInKinds;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes the version of an object that a client's create or update leads to. Pure. */
final class Versions {
  private Versions() {}

  /**
   * The first version, in the served form, without what the server decides itself.
   *
   * @param identified with the name and uid that it is going to have
   */
  static ObjectNode first(ServedResource resource, ObjectNode identified, Instant now) {
    ObjectNode fresh = Trees.fresh(Trees.metadata(identified));
    fresh.put("creationTimestamp", Trees.time(now));
    fresh.remove("deletionTimestamp");
    fresh.remove("deletionGracePeriodSeconds");
    fresh.remove("resourceVersion");
    fresh.remove("generation");
    if (resource.rules().countsGenerations()) {
      fresh.put("generation", 1);
    }
    ObjectNode object = Trees.withMetadata(identified, fresh);
    // A node registers itself together with its status.
    if (resource.hasStatus() && !resource.storageName().equals(BuiltInKinds.NODES)) {
      object.remove("status");
    }
    return object;
  }

  /**
   * The object that a client proposes through one endpoint, in the served form: nothing but what
   * that endpoint may change.
   *
   * @param current without managedFields
   */
  static ObjectNode proposed(
      ServedResource resource, ObjectNode current, ObjectNode prepared, String subresource) {
    ObjectNode metadata = systemFields(MetadataRules.clean(prepared), Trees.metadata(current));
    return combine(resource, current, Trees.withMetadata(prepared, metadata), subresource);
  }

  /** The next version with what the server decides itself. */
  static ObjectNode next(
      ServedResource resource, ObjectNode current, ObjectNode proposed, Instant now) {
    ObjectNode next = proposed;
    if (resource.rules().countsGenerations() && !sameDesire(resource, current, next)) {
      ObjectNode bumped = Trees.fresh(Trees.metadata(next));
      bumped.put("generation", bumped.path("generation").asInt() + 1);
      next = Trees.withMetadata(next, bumped);
    }
    return resource.rules().complete(next, current, now);
  }

  /** Refuses a version that breaks a rule. */
  static void validate(
      ServedResource resource, ObjectNode next, @Nullable ObjectNode current, String name) {
    List<FieldError> errors = new ArrayList<>(MetadataRules.validate(resource, next, current));
    errors.addAll(resource.rules().validate(next, current));
    RequestChecks.refuseInvalid(resource, name, errors);
  }

  /** The parts that a write through this endpoint may change, taken from the incoming object. */
  private static ObjectNode combine(
      ServedResource resource, ObjectNode current, ObjectNode incoming, String subresource) {
    return switch (subresource) {
      case "status" -> {
        ObjectNode result = Trees.with(current, "status", incoming.get("status"));
        // Built-in kinds let labels, annotations and finalizers change together with the status.
        yield resource.custom() ? result : Trees.withMetadata(result, Trees.metadata(incoming));
      }
      case "finalize" -> Trees.with(current, "spec", incoming.get("spec"));
      default -> {
        ObjectNode result = incoming;
        if (resource.hasStatus()) {
          result = Trees.with(result, "status", current.get("status"));
        }
        // A namespace's finalizers change through its finalize subresource only.
        yield resource.storageName().equals(BuiltInKinds.NAMESPACES)
            ? Trees.with(result, "spec", current.get("spec"))
            : result;
      }
    };
  }

  private static ObjectNode systemFields(ObjectNode fresh, ObjectNode current) {
    for (String field :
        List.of(
            "name",
            "namespace",
            "generateName",
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generation")) {
      Trees.copyField(current, fresh, field);
    }
    return fresh;
  }

  private static boolean sameDesire(ServedResource resource, ObjectNode current, ObjectNode next) {
    boolean ignoreStatus = resource.hasStatus();
    return desire(current, ignoreStatus).equals(desire(next, ignoreStatus));
  }

  private static ObjectNode desire(ObjectNode object, boolean ignoreStatus) {
    ObjectNode desire = Trees.fresh(object);
    desire.remove("metadata");
    if (ignoreStatus) {
      desire.remove("status");
    }
    return desire;
  }

  /** Whether nothing holds back the end of an object that is marked for deletion. */
  static boolean finalized(ServedResource resource, ObjectNode tree) {
    boolean ofNamespace =
        resource.storageName().equals(BuiltInKinds.NAMESPACES)
            && !Trees.object(tree, "spec").path("finalizers").isEmpty();
    return !ofNamespace
        && !PodGrace.runs(resource, tree)
        && Trees.metadata(tree).path("finalizers").isEmpty();
  }

  /** Puts apiVersion and kind first, which list items of built-in kinds rely on. */
  static ObjectNode ordered(ObjectNode tree) {
    ObjectNode result = Trees.empty();
    for (String first : List.of("apiVersion", "kind", "metadata")) {
      if (tree.has(first)) {
        result.set(first, tree.get(first));
      }
    }
    result.setAll(tree);
    return result;
  }
}
