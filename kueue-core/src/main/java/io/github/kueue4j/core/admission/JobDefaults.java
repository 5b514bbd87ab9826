/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import java.util.Optional;

/** What a new Job gets: a queue and a priority class if there are defaults, and its suspension. */
final class JobDefaults {
  private static final String DEFAULT = "default";

  private final FeatureGates gates;
  private final boolean managesJobsWithoutQueue;
  private final Surroundings surroundings;

  JobDefaults(FeatureGates gates, boolean managesJobsWithoutQueue, Surroundings surroundings) {
    this.gates = gates;
    this.managesJobsWithoutQueue = managesJobsWithoutQueue;
    this.surroundings = surroundings;
  }

  Ruling of(AdmissionRequest request) {
    Edits edits = new Edits(request.object());
    // Elsewhere nobody would ever start it; and what is managed by its owner follows that.
    Optional<JsonObject> controller = controller(request);
    if (!surroundings.managesNamespace(request.namespace())
        || controller.filter(owner -> managed(request, owner)).isPresent()) {
      return edits.ruling();
    }
    // A JobSet without a queue would start its Jobs again whenever they are suspended.
    if (controller.filter(this::job).isEmpty()
        && !hasLabel(edits, JobTraits.QUEUE_NAME)
        && surroundings.hasLocalQueue(request.namespace(), DEFAULT)) {
      edits.set(new JsonPrimitive(DEFAULT), "metadata", "labels", JobTraits.QUEUE_NAME);
    }
    JobTraits job = JobTraits.of(edits.object());
    if (job.queue().isEmpty() && !managesJobsWithoutQueue) {
      return edits.ruling();
    }
    if (gates.enabled(FeatureGate.WORKLOAD_PRIORITY_CLASS_DEFAULTING)
        && !hasLabel(edits, JobTraits.PRIORITY_CLASS)
        && surroundings.hasWorkloadPriorityClass(DEFAULT)) {
      edits.set(new JsonPrimitive(DEFAULT), "metadata", "labels", JobTraits.PRIORITY_CLASS);
    }
    if (!job.suspended()) {
      edits.set(new JsonPrimitive(true), "spec", "suspend");
    }
    return edits.ruling();
  }

  private static boolean hasLabel(Edits edits, String key) {
    return JobTraits.of(edits.object()).labels().containsKey(key);
  }

  private static Optional<JsonObject> controller(AdmissionRequest request) {
    JsonElement owners =
        request.object().get("metadata") instanceof JsonObject metadata
            ? metadata.get("ownerReferences")
            : null;
    if (!(owners instanceof JsonArray references)) {
      return Optional.empty();
    }
    for (JsonElement reference : references) {
      if (reference instanceof JsonObject owner
          && owner.get("controller") instanceof JsonPrimitive controller
          && controller.getAsBoolean()) {
        return Optional.of(owner);
      }
    }
    return Optional.empty();
  }

  private boolean managed(AdmissionRequest request, JsonObject owner) {
    return surroundings.managesOwner(
        request.namespace(), text(owner, "apiVersion"), text(owner, "kind"), text(owner, "name"));
  }

  private boolean job(JsonObject owner) {
    return surroundings.managesKind(text(owner, "apiVersion"), text(owner, "kind"));
  }

  private static String text(JsonObject owner, String member) {
    return owner.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
  }
}
