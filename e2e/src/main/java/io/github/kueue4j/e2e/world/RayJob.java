// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A RayJob ({@code ray.io/v1}), with the fields that the simulated world needs. */
record RayJob(V1ObjectMeta metadata, Spec spec, Status status) implements ApiObject {
  static final ResourceType<RayJob> TYPE = ResourceType.of("ray.io/v1", "RayJob", RayJob.class);

  /** For servers that have no such kind: any fields are accepted. */
  static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: rayjobs.ray.io}
      spec:
        group: ray.io
        names: {kind: RayJob, listKind: RayJobList, plural: rayjobs, singular: rayjob}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            additionalPrinterColumns:
              - {name: Job Status, type: string, jsonPath: .status.jobStatus}
              - {name: Deployment Status, type: string, jsonPath: .status.jobDeploymentStatus}
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  RayJob {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? new Spec(null, null) : spec;
    status = status == null ? new Status("", null) : status;
  }

  @Override
  public ResourceType<RayJob> type() {
    return TYPE;
  }

  record Spec(@Nullable Boolean suspend, @Nullable ClusterSpec rayClusterSpec) {}

  record ClusterSpec(@Nullable Group headGroupSpec, List<Group> workerGroupSpecs) {
    ClusterSpec {
      workerGroupSpecs = workerGroupSpecs == null ? List.of() : List.copyOf(workerGroupSpecs);
    }
  }

  record Group(@Nullable String groupName, @Nullable Integer replicas, V1PodTemplateSpec template) {
    Group {
      template = template == null ? new V1PodTemplateSpec() : template;
    }

    int count() {
      return Objects.requireNonNullElse(replicas, 1);
    }
  }

  /** Where KubeRay says how far it has come: Initializing, Running, Suspended, Complete, ... */
  record Status(String jobDeploymentStatus, @Nullable String startTime) {
    Status {
      jobDeploymentStatus = jobDeploymentStatus == null ? "" : jobDeploymentStatus;
    }
  }
}
