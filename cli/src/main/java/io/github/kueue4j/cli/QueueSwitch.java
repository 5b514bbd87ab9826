// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.terminal.QueuesByName;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.util.List;
import java.util.Optional;

/** A queue whose stop policy is changed, and the Workloads that this concerns. */
record QueueSwitch(ApiObject queue, KubernetesApi api) {
  static QueueSwitch of(QueueArgument argument, ClusterConnection connection) {
    return new QueueSwitch(argument.find(connection), connection.api());
  }

  /** {@code cq/research}, {@code lq/main in team}. */
  String called() {
    return queue instanceof LocalQueue local
        ? "lq/" + local.key().name() + " in " + local.key().namespace()
        : "cq/" + queue.key().name();
  }

  StopPolicy policy() {
    return switch (queue) {
      case ClusterQueue clusterQueue -> clusterQueue.spec().stopPolicy();
      case LocalQueue localQueue -> localQueue.spec().stopPolicy();
      default -> throw new IllegalStateException(queue.type() + " has no stop policy");
    };
  }

  void set(StopPolicy policy) {
    JsonObject spec = new JsonObject();
    spec.addProperty("stopPolicy", policy.value());
    JsonObject patch = new JsonObject();
    patch.add("spec", spec);
    api.patch(queue.type(), queue.key(), new MergePatch(patch));
  }

  /** The Workloads of the queue that have not finished and are active. */
  List<Workload> workloads() {
    ListOptions where = ListOptions.inNamespace(queue.key().namespace());
    List<Workload> all =
        api.list(KueueTypes.WORKLOAD, where).items().stream()
            .filter(workload -> workload.spec().active() && !workload.conditions().finished())
            .toList();
    if (queue instanceof LocalQueue) {
      return all.stream()
          .filter(workload -> queue.key().name().equals(workload.spec().queueName()))
          .toList();
    }
    QueuesByName queues =
        QueuesByName.among(List.of(), api.list(KueueTypes.LOCAL_QUEUE, where).items());
    return all.stream()
        .filter(workload -> queues.nameOf(workload).equals(Optional.of(queue.key().name())))
        .toList();
  }
}
