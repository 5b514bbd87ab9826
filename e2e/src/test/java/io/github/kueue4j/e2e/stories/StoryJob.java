// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

/**
 * A Job of one pod, whose shell does on a kubelet what annotations tell a simulated one.
 *
 * @param namespace its namespace
 * @param name its name
 * @param queue its LocalQueue; empty for a Job that isn't managed
 * @param image of its container
 * @param runSeconds how long the pod runs
 * @param stopSeconds how long it takes to end after SIGTERM
 * @param graceSeconds what it is given for that
 * @param limits resources of the container, as the inside of a flow mapping
 * @param labels further labels of the Job, likewise
 * @param node the node to run on; empty for any
 */
record StoryJob(
    String namespace,
    String name,
    String queue,
    String image,
    int runSeconds,
    int stopSeconds,
    int graceSeconds,
    String limits,
    String labels,
    String node) {
  static StoryJob of(String namespace, String name, String queue, String image) {
    return new StoryJob(namespace, name, queue, image, 1, 0, 30, "", "", "");
  }

  StoryJob cpu(String amount) {
    return withLimits("cpu: " + amount);
  }

  StoryJob resource(String resource, int amount) {
    return withLimits(limits + ", " + resource + ": " + amount);
  }

  private StoryJob withLimits(String limits) {
    return new StoryJob(
        namespace, name, queue, image, runSeconds, stopSeconds, graceSeconds, limits, labels, node);
  }

  StoryJob image(String image) {
    return new StoryJob(
        namespace, name, queue, image, runSeconds, stopSeconds, graceSeconds, limits, labels, node);
  }

  StoryJob runs(int seconds) {
    return new StoryJob(
        namespace, name, queue, image, seconds, stopSeconds, graceSeconds, limits, labels, node);
  }

  StoryJob stopsIn(int seconds) {
    return new StoryJob(
        namespace, name, queue, image, runSeconds, seconds, graceSeconds, limits, labels, node);
  }

  StoryJob gracePeriod(int seconds) {
    return new StoryJob(
        namespace, name, queue, image, runSeconds, stopSeconds, seconds, limits, labels, node);
  }

  StoryJob mayRun(int seconds) {
    return withLabel("kueue.x-k8s.io/max-exec-time-seconds: \"" + seconds + "\"");
  }

  StoryJob priority(String priorityClass) {
    return withLabel("kueue.x-k8s.io/priority-class: " + priorityClass);
  }

  private StoryJob withLabel(String label) {
    return new StoryJob(
        namespace,
        name,
        queue,
        image,
        runSeconds,
        stopSeconds,
        graceSeconds,
        limits,
        labels + ", " + label,
        node);
  }

  StoryJob on(String node) {
    return new StoryJob(
        namespace, name, queue, image, runSeconds, stopSeconds, graceSeconds, limits, labels, node);
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
          labels: {story: told%s%s}
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
            queue.isEmpty() ? "" : ", kueue.x-k8s.io/queue-name: " + queue,
            labels,
            runSeconds,
            !queue.isEmpty(),
            stopSeconds,
            graceSeconds,
            node.isEmpty() ? "" : "kubernetes.io/hostname: " + node,
            image,
            script(),
            limits,
            limits);
  }
}
