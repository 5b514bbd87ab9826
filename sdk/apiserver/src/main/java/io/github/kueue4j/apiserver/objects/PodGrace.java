// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time that pods have to end. A pod on a node is only marked for deletion: its kubelet removes
 * it, by a deletion with a grace period of 0, once its containers have stopped.
 */
final class PodGrace {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final int DEFAULT_SECONDS = 30;

  private PodGrace() {}

  /**
   * The grace period of a deletion; 0 if nothing has to be waited for.
   *
   * @param asked by the client; null if it doesn't say
   */
  static int seconds(ServedResource resource, ObjectNode pod, @Nullable Integer asked) {
    ObjectNode spec = Trees.object(pod, "spec");
    if (!isPod(resource)
        || Trees.text(spec, "nodeName").isEmpty()
        || ENDED.contains(Trees.text(Trees.object(pod, "status"), "phase"))) {
      return 0;
    }
    if (asked == null && runs(resource, pod)) {
      return Trees.metadata(pod).path("deletionGracePeriodSeconds").asInt();
    }
    int wanted =
        asked == null ? spec.path("terminationGracePeriodSeconds").asInt(DEFAULT_SECONDS) : asked;
    return wanted < 0 ? 1 : wanted;
  }

  /** Whether a pod has been marked and its kubelet hasn't said yet that it has ended. */
  static boolean runs(ServedResource resource, ObjectNode pod) {
    return isPod(resource) && Trees.metadata(pod).path("deletionGracePeriodSeconds").asInt(0) > 0;
  }

  /** Marks a pod; a later deletion can only shorten the time of an earlier one. */
  static void mark(ObjectNode metadata, int seconds, Instant now) {
    JsonNode before = metadata.path("deletionGracePeriodSeconds");
    if (metadata.hasNonNull("deletionTimestamp") && seconds >= before.asInt(0)) {
      return;
    }
    Instant told =
        metadata.hasNonNull("deletionTimestamp")
            ? Instant.parse(metadata.path("deletionTimestamp").asText())
                .minusSeconds(before.asInt(0))
            : now;
    metadata.put("deletionTimestamp", Trees.time(told.plusSeconds(seconds)));
    metadata.put("deletionGracePeriodSeconds", seconds);
  }

  private static boolean isPod(ServedResource resource) {
    return resource.group().isEmpty() && resource.plural().equals("pods");
  }
}
