// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1MutatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import io.kubernetes.client.openapi.models.V1PriorityClass;
import io.kubernetes.client.openapi.models.V1RuntimeClass;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SelfSubjectReview;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1SubjectAccessReview;
import io.kubernetes.client.openapi.models.V1TokenReview;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;
import org.apiguardian.api.API;

/** The built-in kinds in use, with the client's model classes. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CoreTypes {

  public static final ResourceType<V1Namespace> NAMESPACE =
      ResourceType.of("v1", "Namespace", V1Namespace.class).clusterScoped();

  public static final ResourceType<V1Node> NODE =
      ResourceType.of("v1", "Node", V1Node.class).clusterScoped();

  public static final ResourceType<V1Pod> POD = ResourceType.of("v1", "Pod", V1Pod.class);

  public static final ResourceType<V1PodTemplate> POD_TEMPLATE =
      ResourceType.of("v1", "PodTemplate", V1PodTemplate.class);

  public static final ResourceType<V1ConfigMap> CONFIG_MAP =
      ResourceType.of("v1", "ConfigMap", V1ConfigMap.class);

  public static final ResourceType<V1Secret> SECRET =
      ResourceType.of("v1", "Secret", V1Secret.class);

  public static final ResourceType<V1Service> SERVICE =
      ResourceType.of("v1", "Service", V1Service.class);

  public static final ResourceType<V1LimitRange> LIMIT_RANGE =
      ResourceType.of("v1", "LimitRange", V1LimitRange.class);

  public static final ResourceType<EventsV1Event> EVENT =
      ResourceType.of("events.k8s.io/v1", "Event", EventsV1Event.class);

  public static final ResourceType<V1Job> JOB = ResourceType.of("batch/v1", "Job", V1Job.class);

  public static final ResourceType<V1Deployment> DEPLOYMENT =
      ResourceType.of("apps/v1", "Deployment", V1Deployment.class);

  public static final ResourceType<V1Lease> LEASE =
      ResourceType.of("coordination.k8s.io/v1", "Lease", V1Lease.class);

  public static final ResourceType<V1RuntimeClass> RUNTIME_CLASS =
      ResourceType.of("node.k8s.io/v1", "RuntimeClass", V1RuntimeClass.class).clusterScoped();

  public static final ResourceType<V1PriorityClass> PRIORITY_CLASS =
      ResourceType.of("scheduling.k8s.io/v1", "PriorityClass", V1PriorityClass.class)
          .clusterScoped();

  public static final ResourceType<V1CustomResourceDefinition> CUSTOM_RESOURCE_DEFINITION =
      ResourceType.of(
              "apiextensions.k8s.io/v1",
              "CustomResourceDefinition",
              V1CustomResourceDefinition.class)
          .clusterScoped();

  public static final ResourceType<V1MutatingWebhookConfiguration> MUTATING_WEBHOOK_CONFIGURATION =
      ResourceType.of(
              "admissionregistration.k8s.io/v1",
              "MutatingWebhookConfiguration",
              V1MutatingWebhookConfiguration.class)
          .clusterScoped();

  public static final ResourceType<V1ValidatingWebhookConfiguration>
      VALIDATING_WEBHOOK_CONFIGURATION =
          ResourceType.of(
                  "admissionregistration.k8s.io/v1",
                  "ValidatingWebhookConfiguration",
                  V1ValidatingWebhookConfiguration.class)
              .clusterScoped();

  /** A review that authenticates a token; it is answered, never stored. */
  public static final ResourceType<V1TokenReview> TOKEN_REVIEW =
      ResourceType.of("authentication.k8s.io/v1", "TokenReview", V1TokenReview.class)
          .clusterScoped();

  /** A review that tells its creator who they are; it is answered, never stored. */
  public static final ResourceType<V1SelfSubjectReview> SELF_SUBJECT_REVIEW =
      ResourceType.of("authentication.k8s.io/v1", "SelfSubjectReview", V1SelfSubjectReview.class)
          .clusterScoped();

  /** A review of a user's permission; it is answered, never stored. */
  public static final ResourceType<V1SubjectAccessReview> SUBJECT_ACCESS_REVIEW =
      ResourceType.of("authorization.k8s.io/v1", "SubjectAccessReview", V1SubjectAccessReview.class)
          .clusterScoped();

  /** A review of its creator's own permission; it is answered, never stored. */
  public static final ResourceType<V1SelfSubjectAccessReview> SELF_SUBJECT_ACCESS_REVIEW =
      ResourceType.of(
              "authorization.k8s.io/v1", "SelfSubjectAccessReview", V1SelfSubjectAccessReview.class)
          .clusterScoped();

  private CoreTypes() {}
}
