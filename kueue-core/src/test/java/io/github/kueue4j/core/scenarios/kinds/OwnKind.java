// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.testing.FromYaml;
import java.util.List;

/** A kind of a platform team's own, in definitions that don't suit it. */
final class OwnKind {
  static final String CONFIGURATION =
      """
      integrations: {frameworks: [batch/job]}
      kueue4j:
        jobKinds:
          - framework: ml.example.com/trainingrun
            apiVersion: ml.example.com/v1
            kind: TrainingRun
            suspend: spec.suspend
            podSets: [{name: workers, template: spec.worker, count: [spec.workers]}, {name: head, template: spec.head}]
      """;

  /** What controller-gen makes of a {@code PodTemplateSpec} unless it is told otherwise. */
  static final String PRUNED = "{type: object}";

  static final String KEPT = "{type: object, x-kubernetes-preserve-unknown-fields: true}";

  private OwnKind() {}

  /** An object that asks for all 5 CPUs. */
  static DeclaredSample sample() {
    return sample("");
  }

  /** One that has a second template, whose metadata is kept. */
  static DeclaredSample withHead() {
    return sample(
        "head: {spec: {containers: [{name: main, image: busybox, resources: {requests: {}}}]}},");
  }

  private static DeclaredSample sample(String head) {
    return DeclaredSample.of(
        (DeclaredKind)
            Configuration.parse(
                    "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                        + CONFIGURATION)
                .integrations()
                .managed()
                .getLast(),
        FromYaml.json(
            """
            {object: {apiVersion: ml.example.com/v1, kind: TrainingRun,
              metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}},
              spec: {suspend: true, workers: 1, %s worker: {spec: {containers: [{name: main,
                image: busybox, resources: {requests: {cpu: 5}}}]}}}}}
            """
                .formatted(head)));
  }

  /**
   * Installs it.
   *
   * @param metadata the schema of its template's metadata
   */
  static void install(TestCluster cluster, String scope, String metadata) {
    install(cluster, scope, metadata, "true");
  }

  /**
   * Installs it.
   *
   * @param rule what has to hold for a change of {@code spec}
   */
  static void install(TestCluster cluster, String scope, String metadata, String rule) {
    cluster.server.applyCrds(
        List.of(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: trainingruns.ml.example.com}
            spec:
              group: ml.example.com
              names: {kind: TrainingRun, listKind: TrainingRunList, plural: trainingruns, singular: trainingrun}
              scope: %s
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                        spec:
                          type: object
                          x-kubernetes-validations: [{rule: "%s", message: immutable}]
                          properties:
                            suspend: {type: boolean}
                            workers: {type: integer}
                            head: {type: object, x-kubernetes-preserve-unknown-fields: true}
                            worker:
                              type: object
                              properties:
                                metadata: %s
                                spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """
                .formatted(scope, rule, metadata)));
  }
}
