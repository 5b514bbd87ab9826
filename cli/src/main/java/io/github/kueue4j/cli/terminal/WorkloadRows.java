// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The rows of Workloads.
 *
 * @param namespaces whether they are of several namespaces, which the first column names
 * @param wide with the end of a delay and the states of the checks
 * @param queues finds the ClusterQueue of each
 * @param now the current time, for ages
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record WorkloadRows(boolean namespaces, boolean wide, QueuesByName queues, Instant now)
    implements Rows<Workload> {
  @Override
  public List<String> header() {
    return Cells.of()
        .andIf(namespaces, "NAMESPACE")
        .and("NAME", "OWNER", "QUEUE", "CLUSTERQUEUE", "PHASE", "PRIORITY", "AGE", "SINCE")
        .andIf(wide, "DELAYED-UNTIL", "CHECKS")
        .list();
  }

  @Override
  public List<String> row(Workload workload) {
    Optional<ClusterQueue> queue = queues.of(workload);
    ListedPhase phase = ListedPhase.of(workload, queue.orElse(null));
    return Cells.of()
        .andIf(namespaces, workload.key().namespace())
        .and(
            workload.key().name(),
            owner(workload),
            workload.spec().queueName(),
            queues.nameOf(workload).orElse(""),
            phase.word(),
            Objects.requireNonNullElse(workload.spec().priority(), 0),
            ListedPhase.created(workload).map(created -> Cells.age(created, now)).orElse(""),
            phase.since(workload).map(since -> Cells.age(since, now)).orElse(""))
        .andIf(
            wide,
            phase == ListedPhase.BACKOFF ? workload.status().requeueAt() : null,
            checks(workload))
        .list();
  }

  /** {@code job/training}. */
  static String owner(Workload workload) {
    return Stream.ofNullable(workload.metadata().getOwnerReferences())
        .flatMap(List::stream)
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .map(WorkloadRows::called)
        .orElse("");
  }

  private static String called(V1OwnerReference owner) {
    return owner.getKind().toLowerCase(Locale.ROOT) + '/' + owner.getName();
  }

  private static String checks(Workload workload) {
    return workload.status().admissionChecks().stream()
        .map(check -> check.name() + '=' + check.state().value())
        .collect(Collectors.joining(","));
  }
}
