// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.observe.explain.SimilarNames;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The queue that a command is about: a ClusterQueue, or a LocalQueue of a namespace. */
final class QueueArgument {
  private static final List<String> CLUSTER_QUEUE = List.of("cq", "clusterqueue", "clusterqueues");
  private static final List<String> LOCAL_QUEUE =
      List.of("lq", "localqueue", "localqueues", "queue", "queues");
  private static final int NEAR_NAMES = 5;

  @Parameters(
      paramLabel = "QUEUE",
      description =
          "a ClusterQueue or a LocalQueue; cq/NAME or lq/NAME where both kinds have the name")
  private String asked = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "the LocalQueue's namespace (default: that of the kubeconfig's context)")
  private @Nullable String namespace;

  /**
   * Reads it.
   *
   * @throws UserError if there is none, with similar names, or one of each kind
   */
  ApiObject find(ClusterConnection connection) {
    int slash = asked.indexOf('/');
    String kind = asked.substring(0, Math.max(slash, 0));
    String name = asked.substring(slash + 1);
    boolean ofCluster = slash < 0 || CLUSTER_QUEUE.contains(kind);
    boolean ofNamespace = slash < 0 || LOCAL_QUEUE.contains(kind);
    if (name.isEmpty() || !(ofCluster || ofNamespace)) {
      throw new UserError("'" + asked + "' names no queue; give cq/NAME or lq/NAME");
    }
    String here = Optional.ofNullable(namespace).orElseGet(connection::namespace);
    KubernetesApi api = connection.api();
    Optional<? extends ApiObject> localQueue =
        ofNamespace ? api.get(KueueTypes.LOCAL_QUEUE, new ObjectKey(here, name)) : Optional.empty();
    Optional<? extends ApiObject> clusterQueue =
        ofCluster ? clusterQueue(api, name, localQueue.isPresent()) : Optional.empty();
    if (clusterQueue.isPresent() && localQueue.isPresent()) {
      throw new UserError(
          "there are a ClusterQueue '%s' and a LocalQueue of that name in the namespace %s; give cq/%s or lq/%s"
              .formatted(name, here, name, name));
    }
    return Stream.of(clusterQueue, localQueue)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() -> unknown(api, here, name, ofCluster, ofNamespace));
  }

  /**
   * The ClusterQueue of this name.
   *
   * @param isLocal whether a LocalQueue has the name: then it is meant if none may be read
   */
  private static Optional<ClusterQueue> clusterQueue(
      KubernetesApi api, String name, boolean isLocal) {
    try {
      return api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name));
    } catch (KubernetesApiException.Forbidden e) {
      if (isLocal) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private UserError unknown(
      KubernetesApi api, String here, String name, boolean ofCluster, boolean ofNamespace) {
    Stream<String> known =
        Stream.concat(
            ofCluster ? names(api, KueueTypes.CLUSTER_QUEUE, "cq/", "") : Stream.empty(),
            ofNamespace ? names(api, KueueTypes.LOCAL_QUEUE, "lq/", here) : Stream.empty());
    List<String> near = SimilarNames.of(name, known.toList(), NEAR_NAMES);
    return new UserError(
        "there is no queue '"
            + asked
            + "', looking for LocalQueues in the namespace "
            + here
            + "; "
            + (near.isEmpty()
                ? "list them with 'queue list -A'"
                : "did you mean " + String.join(", ", near) + "?"));
  }

  /** Suggests only what the user may list. */
  private static Stream<String> names(
      KubernetesApi api, ResourceType<?> type, String prefix, String namespace) {
    try {
      return api.list(type, ListOptions.inNamespace(namespace)).items().stream()
          .map(queue -> prefix + ObjectKey.of(queue).name());
    } catch (KubernetesApiException.Forbidden e) {
      return Stream.empty();
    }
  }
}
