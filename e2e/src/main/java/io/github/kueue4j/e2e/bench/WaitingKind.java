// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A kind of Jobs of which many wait, each for one CPU; those with two pod sets for half in each.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public enum WaitingKind {
  /** One pod set. */
  JOB(
      "Job",
      "batch/job",
      "",
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {%s}
      spec: {suspend: true, template: {spec: {restartPolicy: Never, %s}}}
      """),
  /** Two pod sets; a kind in code. */
  JOB_SET(
      "JobSet",
      "jobset.x-k8s.io/jobset",
      definition("jobset.x-k8s.io", "v1alpha2", "JobSet"),
      """
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata: {%s}
      spec:
        suspend: true
        replicatedJobs:
        - {name: head, replicas: 1, template: {spec: {template: {spec: {restartPolicy: Never, %2$s}}}}}
        - {name: workers, replicas: 1, template: {spec: {template: {spec: {restartPolicy: Never, %2$s}}}}}
      """),
  /** Two pod sets; a kind by declaration. */
  RAY_JOB(
      "RayJob",
      "ray.io/rayjob",
      definition("ray.io", "v1", "RayJob"),
      """
      apiVersion: ray.io/v1
      kind: RayJob
      metadata: {%s}
      spec:
        suspend: true
        entrypoint: none
        submissionMode: HTTPMode
        shutdownAfterJobFinishes: true
        rayClusterSpec:
          headGroupSpec: {template: {spec: {restartPolicy: Never, %2$s}}}
          workerGroupSpecs:
          - {groupName: workers, replicas: 1, template: {spec: {restartPolicy: Never, %2$s}}}
      """),
  /** A single pod, as the webhook leaves it. */
  POD(
      "Pod",
      "pod",
      "",
      """
      apiVersion: v1
      kind: Pod
      metadata: {%s, finalizers: [kueue.x-k8s.io/managed]}
      spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}], restartPolicy: Never, %s}
      """);

  private final String kind;
  private final String framework;
  private final String definition;
  private final String text;

  WaitingKind(String kind, String framework, String definition, String text) {
    this.kind = kind;
    this.framework = framework;
    this.definition = definition;
    this.text = text;
  }

  /** By the name of its kind, such as {@code RayJob}; empty if it is none of these. */
  public static Optional<WaitingKind> of(String kind) {
    return Arrays.stream(values()).filter(each -> each.kind.equalsIgnoreCase(kind)).findFirst();
  }

  /** The names of all, for messages. */
  public static String names() {
    return Arrays.stream(values()).map(each -> each.kind).collect(Collectors.joining(", "));
  }

  /** As {@code integrations.frameworks} of the configuration names it. */
  public String framework() {
    return framework;
  }

  /** The CustomResourceDefinitions that a server needs for it, as YAML. */
  public List<String> definitions() {
    return definition.isEmpty() ? List.of() : List.of(definition);
  }

  /** The one with this number, as YAML. */
  String object(int number) {
    boolean twice = this == JOB_SET || this == RAY_JOB;
    String metadata =
        "name: job-%d, namespace: %s, labels: {kueue.x-k8s.io/queue-name: kueue4j-bench%s}"
            .formatted(
                number,
                WaitingObjects.NAMESPACE,
                this == POD ? ", kueue.x-k8s.io/managed: 'true'" : "");
    String containers =
        "containers: [{name: c, image: none, resources: {requests: {cpu: %s}}}]"
            .formatted(twice ? "500m" : "1");
    return text.formatted(metadata, containers);
  }

  /** The definition of a kind with any fields: what is measured is the core. */
  private static String definition(String group, String version, String kind) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    return """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %3$s.%1$s}
        spec:
          group: %1$s
          names: {kind: %4$s, listKind: %4$sList, plural: %3$s}
          scope: Namespaced
          versions:
          - name: %2$s
            served: true
            storage: true
            subresources: {status: {}}
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """
        .formatted(group, version, plural, kind);
  }
}
