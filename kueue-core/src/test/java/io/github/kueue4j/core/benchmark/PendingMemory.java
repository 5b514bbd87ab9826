// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.testing.OneQueue;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.testing.Unheard;
import io.github.kueue4j.jobs.Trimming;
import io.github.kueue4j.jobs.testing.RealisticPods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints how much heap a waiting Workload takes: the informer's copy of it, whole and trimmed, and
 * what the State keeps besides; for pods of a few lines, for realistic ones, and for such of which
 * no two ask for the same. Argument: how many wait.
 */
public final class PendingMemory implements Unheard {
  private static final String SMALL =
      """
      {"metadata": {"labels": {"app": "batch"}}, "spec": {
        "restartPolicy": "Never", "containers": [{"name": "main", "image": "example.com/app:1",
          "args": ["--run"], "env": [{"name": "A", "value": "b"}],
          "resources": {"requests": {"cpu": "100m", "memory": "200Mi"}}}]}}
      """;
  private static final String DIFFERENT = RealisticPods.template().replace("\"8Gi\"", "\"%1$dMi\"");
  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  public static void main(String[] arguments) {
    int count = Integer.parseInt(arguments[0]);
    new PendingMemory().measure("small", SMALL, count);
    new PendingMemory().measure("realistic", RealisticPods.template(), count);
    new PendingMemory().measure("all different", DIFFERENT, count);
  }

  private void measure(String pods, String template, int count) {
    State state = new State(PlainSettings.create(), new Outbox(), this, () -> NOW);
    OneQueue.addTo(
        state,
        """
        resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: default, resources: [
          {name: cpu, nominalQuota: 0}, {name: memory, nominalQuota: 0}]}]}]
        """,
        NOW);
    state.schedule(NOW);
    // Whole copies take a lot: a tenth of them says the same.
    int sample = Math.max(1, count / 10);
    long beforeSample = used();
    List<Workload> whole = new ArrayList<>(sample);
    for (int i = 0; i < sample; i++) {
      whole.add(workload(i, template));
    }
    long afterSample = used();
    requireAll(whole, sample);
    whole.clear();
    long empty = used();
    List<Workload> informer = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      informer.add(Trimming.workload(workload(i, template), Optional.empty()));
    }
    long cached = used();
    for (Workload workload : informer) {
      state.workloads().observed(workload, NOW);
    }
    while (!state.schedule(NOW)) {
      // It pauses now and then for events, of which there are none.
    }
    long counted = used();
    System.out.printf(
        Locale.ROOT,
        "%d Workloads with %s pods wait: %d bytes each in the informer (%d if whole), %d in the State%n",
        state.reports().clusterQueue("cq").orElseThrow().counts().pending(),
        pods,
        (cached - empty) / count,
        (afterSample - beforeSample) / sample,
        (counted - cached) / count);
    requireAll(informer, count);
  }

  /** They are still needed when the heap has been measured. */
  private static void requireAll(List<Workload> copies, int count) {
    if (copies.size() != count) {
      throw new IllegalStateException("the informer's copies are gone");
    }
  }

  private static Workload workload(int number, String template) {
    return KueueJson.fromJson(
        """
        {"metadata": {"name": "job-pending-%1$d-4f1c9", "namespace": "team",
            "uid": "0b54cdc6-6b77-4b7a-9d1c-%1$012d", "resourceVersion": "%1$d",
            "creationTimestamp": "2026-01-05T07:00:00Z", "generation": 1,
            "labels": {"kueue.x-k8s.io/job-uid": "3a54cdc6-6b77-4b7a-9d1c-%1$012d"},
            "finalizers": ["kueue.x-k8s.io/resource-in-use"],
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job",
              "name": "pending-%1$d", "uid": "3a54cdc6-6b77-4b7a-9d1c-%1$012d",
              "controller": true, "blockOwnerDeletion": true}]},
          "spec": {"queueName": "lq", "priority": %2$d, "active": true, "podSets": [{"name": "main",
            "count": %3$d, "template": %4$s}]}}
        """
            .formatted(number, number % 10, 1 + number % 100, template.formatted(number + 1)),
        Workload.class);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
