// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.DeleteOptions;
import io.github.kueue4j.apiserver.objects.Deletion;
import io.github.kueue4j.apiserver.objects.ObjectOperations;
import io.github.kueue4j.apiserver.objects.WriteOptions;
import io.github.kueue4j.apiserver.objects.WriteResult;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.InstantSource;

/** The subresources of pods that are actions: binding to a node and eviction. */
final class PodSubresources {
  private final ObjectOperations objects;
  private final Deletion deletion;
  private final InstantSource clock;

  PodSubresources(ObjectOperations objects, Deletion deletion, InstantSource clock) {
    this.objects = objects;
    this.deletion = deletion;
    this.clock = clock;
  }

  /** Assigns a pod to the node that the Binding names. */
  void bind(ServedResource resource, Key key, ObjectNode binding) {
    String node = Trees.text(Trees.object(binding, "target"), "name");
    if (node.isEmpty()) {
      throw ApiErrors.badRequest("target.name: Required value: the binding names no node");
    }
    WriteResult bound =
        objects.patch(
            resource, key, "", pod -> assign(resource, pod, node), "", WriteOptions.INTERNAL);
    objects.patch(
        resource, bound.object().key(), "status", this::scheduled, "", WriteOptions.INTERNAL);
  }

  private static ObjectNode assign(ServedResource resource, ObjectNode pod, String node) {
    ObjectNode spec = Trees.fresh(Trees.object(pod, "spec"));
    String assigned = Trees.text(spec, "nodeName");
    if (!assigned.isEmpty()) {
      throw ApiErrors.conflict(
          resource.group(),
          "pods/binding",
          Trees.name(pod),
          "pod " + Trees.name(pod) + " is already assigned to node \"" + assigned + "\"");
    }
    if (!spec.path("schedulingGates").isEmpty()) {
      throw ApiErrors.conflict(
          resource.group(),
          "pods/binding",
          Trees.name(pod),
          "pod " + Trees.name(pod) + " has non-empty .spec.schedulingGates");
    }
    spec.put("nodeName", node);
    return Trees.with(pod, "spec", spec);
  }

  private ObjectNode scheduled(ObjectNode pod) {
    ObjectNode status = Trees.fresh(Trees.object(pod, "status"));
    ArrayNode conditions = pod.arrayNode();
    for (JsonNode condition : status.path("conditions")) {
      if (!Trees.text(condition, "type").equals("PodScheduled")) {
        conditions.add(condition);
      }
    }
    conditions
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "True")
        .put("lastTransitionTime", Trees.time(clock.instant()));
    status.set("conditions", conditions);
    return Trees.with(pod, "status", status);
  }

  /** Deletes a pod; disruption budgets are not asked. */
  void evict(ServedResource resource, Key key, ObjectNode eviction) {
    ObjectNode options = Trees.object(eviction, "deleteOptions");
    ObjectNode preconditions = Trees.object(options, "preconditions");
    JsonNode grace = options.path("gracePeriodSeconds");
    deletion.delete(
        resource,
        key,
        new DeleteOptions(
            DeleteOptions.Propagation.DEFAULT,
            Trees.text(preconditions, "uid"),
            Trees.text(preconditions, "resourceVersion"),
            false,
            grace.isInt() ? grace.asInt() : null,
            User.ADMINISTRATOR));
  }
}
