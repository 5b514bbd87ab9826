// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import java.util.ArrayList;
import java.util.List;

/**
 * A Job of one pod, to be described and created; its shell does on a kubelet what annotations tell
 * a simulated one.
 */
final class StoryJob {
  private final String namespace;
  private final String name;
  private final List<String> labels = new ArrayList<>(List.of("story: told"));
  private final List<String> limits = new ArrayList<>();
  private final boolean managed;
  private String image;
  private String node = "";
  private int runSeconds = 1;
  private int stopSeconds;
  private int graceSeconds = 30;

  private StoryJob(String namespace, String name, boolean managed, String image) {
    this.namespace = namespace;
    this.name = name;
    this.managed = managed;
    this.image = image;
  }

  /** One of a LocalQueue. */
  static StoryJob of(String namespace, String name, String queue, String image) {
    StoryJob job = new StoryJob(namespace, name, true, image);
    job.labels.add("kueue.x-k8s.io/queue-name: " + queue);
    return job;
  }

  /** One that no core manages. */
  static StoryJob unmanaged(String namespace, String name, String image) {
    return new StoryJob(namespace, name, false, image);
  }

  String namespace() {
    return namespace;
  }

  String name() {
    return name;
  }

  StoryJob cpu(String amount) {
    limits.add("cpu: " + amount);
    return this;
  }

  StoryJob resource(String resource, int amount) {
    limits.add(resource + ": " + amount);
    return this;
  }

  StoryJob image(String other) {
    image = other;
    return this;
  }

  /** How long its pod runs. */
  StoryJob runs(int seconds) {
    runSeconds = seconds;
    return this;
  }

  /** How long its pod takes to end after SIGTERM. */
  StoryJob stopsIn(int seconds) {
    stopSeconds = seconds;
    return this;
  }

  /** What its pod is given for that. */
  StoryJob gracePeriod(int seconds) {
    graceSeconds = seconds;
    return this;
  }

  StoryJob mayRun(int seconds) {
    labels.add("kueue.x-k8s.io/max-exec-time-seconds: \"" + seconds + "\"");
    return this;
  }

  StoryJob priority(String priorityClass) {
    labels.add("kueue.x-k8s.io/priority-class: " + priorityClass);
    return this;
  }

  /** The only node that its pod may run on. */
  StoryJob on(String only) {
    node = only;
    return this;
  }

  /** A shell as the first process ignores signals that it has no trap for. */
  private String script() {
    return "trap 'sleep %d; exit 1' TERM; i=0; while [ $i -lt %d ]; do sleep 1; i=$((i+1)); done"
        .formatted(stopSeconds, runSeconds);
  }

  String yaml() {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: %s
          labels: {%s}
          annotations: {simulation.kueue4j.io/runtime: %ds}
        spec:
          suspend: %b
          backoffLimit: 10
          template:
            metadata: {annotations: {simulation.kueue4j.io/stop-time: %ds}}
            spec:
              restartPolicy: Never
              terminationGracePeriodSeconds: %d
              nodeSelector: {%s}
              containers:
                - name: main
                  image: %s
                  command: [sh, -c, "%s"]
                  resources: {requests: {%s}, limits: {%s}}
        """
        .formatted(
            name,
            namespace,
            String.join(", ", labels),
            runSeconds,
            managed,
            stopSeconds,
            graceSeconds,
            node.isEmpty() ? "" : "kubernetes.io/hostname: " + node,
            image,
            script(),
            String.join(", ", limits),
            String.join(", ", limits));
  }
}
