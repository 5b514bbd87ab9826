// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * A Job as a user writes it, for {@link TestCluster#apply}: suspended, in the namespace {@code
 * team}, with one container. All but its name is optional.
 *
 * <pre>{@code
 * cluster.apply(
 *     TestJob.named("job").queue("lq").label("kueue.x-k8s.io/priority-class", "urgent").cpus(2).yaml());
 * }</pre>
 *
 * @param labels as entries of a YAML flow mapping
 * @param annotations as entries of a YAML flow mapping
 * @param spec further fields of its spec, each with its comma, as the inside of a YAML flow mapping
 * @param container further fields of its container, likewise
 */
public record TestJob(
    String name, List<String> labels, List<String> annotations, String spec, String container) {
  /** Copies the lists. */
  public TestJob {
    labels = List.copyOf(labels);
    annotations = List.copyOf(annotations);
  }

  /** A Job without a queue that asks for nothing. */
  public static TestJob named(String name) {
    return new TestJob(name, List.of(), List.of(), "", "");
  }

  /** The LocalQueue, by the label. */
  public TestJob queue(String queue) {
    return label("kueue.x-k8s.io/queue-name", queue);
  }

  /** The WorkloadPriorityClass, by the label. */
  public TestJob priority(String priorityClass) {
    return label("kueue.x-k8s.io/priority-class", priorityClass);
  }

  public TestJob label(String key, String value) {
    return new TestJob(name, with(labels, key, value), annotations, spec, container);
  }

  public TestJob annotation(String key, String value) {
    return new TestJob(name, labels, with(annotations, key, value), spec, container);
  }

  private static List<String> with(List<String> entries, String key, String value) {
    List<String> more = new ArrayList<>(entries);
    more.add("%s: \"%s\"".formatted(key, value));
    return more;
  }

  /** How many pods run at once, and how many must succeed. */
  public TestJob pods(int parallelism, int completions) {
    return parallelism(parallelism, ", completions: " + completions);
  }

  /** How many pods run at once. */
  public TestJob pods(int parallelism) {
    return parallelism(parallelism, "");
  }

  private TestJob parallelism(int parallelism, String completions) {
    return new TestJob(
        name, labels, annotations, spec + ", parallelism: " + parallelism + completions, container);
  }

  /** Each completion has an index of its own. */
  public TestJob indexed() {
    return new TestJob(name, labels, annotations, spec + ", completionMode: Indexed", container);
  }

  /** The controller that runs it. */
  public TestJob managedBy(String controller) {
    return new TestJob(name, labels, annotations, spec + ", managedBy: " + controller, container);
  }

  /** The CPUs that each pod requests. */
  public TestJob cpus(int cpus) {
    return resources("requests: {cpu: " + cpus + "}");
  }

  /** The resources of each pod, as the inside of a YAML flow mapping. */
  public TestJob resources(String resources) {
    return new TestJob(
        name, labels, annotations, spec, container + ", resources: {" + resources + "}");
  }

  /** The Job as YAML. */
  public String yaml() {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: "%s", namespace: %s%s%s}
        spec: {suspend: true%s, template: {spec: {restartPolicy: Never,
          containers: [{name: main, image: busybox%s}]}}}
        """
        .formatted(
            name,
            TestCluster.NAMESPACE,
            mapping("labels", labels),
            mapping("annotations", annotations),
            spec,
            container);
  }

  private static String mapping(String field, List<String> entries) {
    return entries.isEmpty() ? "" : ", %s: {%s}".formatted(field, String.join(", ", entries));
  }
}
