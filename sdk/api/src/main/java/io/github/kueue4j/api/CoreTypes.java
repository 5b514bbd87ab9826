// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesObject;
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
      core("Namespace", "namespaces", false, V1Namespace.class);

  public static final ResourceType<V1Node> NODE = core("Node", "nodes", false, V1Node.class);

  public static final ResourceType<V1Pod> POD = core("Pod", "pods", true, V1Pod.class);

  public static final ResourceType<V1PodTemplate> POD_TEMPLATE =
      core("PodTemplate", "podtemplates", true, V1PodTemplate.class);

  public static final ResourceType<V1ConfigMap> CONFIG_MAP =
      core("ConfigMap", "configmaps", true, V1ConfigMap.class);

  public static final ResourceType<V1Secret> SECRET =
      core("Secret", "secrets", true, V1Secret.class);

  public static final ResourceType<V1Service> SERVICE =
      core("Service", "services", true, V1Service.class);

  public static final ResourceType<V1LimitRange> LIMIT_RANGE =
      core("LimitRange", "limitranges", true, V1LimitRange.class);

  public static final ResourceType<EventsV1Event> EVENT =
      new ResourceType<>("events.k8s.io", "v1", "Event", "events", true, EventsV1Event.class);

  public static final ResourceType<V1Job> JOB =
      new ResourceType<>("batch", "v1", "Job", "jobs", true, V1Job.class);

  public static final ResourceType<V1Deployment> DEPLOYMENT =
      new ResourceType<>("apps", "v1", "Deployment", "deployments", true, V1Deployment.class);

  public static final ResourceType<V1Lease> LEASE =
      new ResourceType<>("coordination.k8s.io", "v1", "Lease", "leases", true, V1Lease.class);

  public static final ResourceType<V1RuntimeClass> RUNTIME_CLASS =
      new ResourceType<>(
          "node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", false, V1RuntimeClass.class);

  public static final ResourceType<V1PriorityClass> PRIORITY_CLASS =
      new ResourceType<>(
          "scheduling.k8s.io",
          "v1",
          "PriorityClass",
          "priorityclasses",
          false,
          V1PriorityClass.class);

  public static final ResourceType<V1CustomResourceDefinition> CUSTOM_RESOURCE_DEFINITION =
      new ResourceType<>(
          "apiextensions.k8s.io",
          "v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false,
          V1CustomResourceDefinition.class);

  public static final ResourceType<V1MutatingWebhookConfiguration> MUTATING_WEBHOOK_CONFIGURATION =
      new ResourceType<>(
          "admissionregistration.k8s.io",
          "v1",
          "MutatingWebhookConfiguration",
          "mutatingwebhookconfigurations",
          false,
          V1MutatingWebhookConfiguration.class);

  public static final ResourceType<V1ValidatingWebhookConfiguration>
      VALIDATING_WEBHOOK_CONFIGURATION =
          new ResourceType<>(
              "admissionregistration.k8s.io",
              "v1",
              "ValidatingWebhookConfiguration",
              "validatingwebhookconfigurations",
              false,
              V1ValidatingWebhookConfiguration.class);

  /** A review that authenticates a token; it is answered, never stored. */
  public static final ResourceType<V1TokenReview> TOKEN_REVIEW =
      new ResourceType<>(
          "authentication.k8s.io", "v1", "TokenReview", "tokenreviews", false, V1TokenReview.class);

  /** A review that tells its creator who they are; it is answered, never stored. */
  public static final ResourceType<V1SelfSubjectReview> SELF_SUBJECT_REVIEW =
      new ResourceType<>(
          "authentication.k8s.io",
          "v1",
          "SelfSubjectReview",
          "selfsubjectreviews",
          false,
          V1SelfSubjectReview.class);

  /** A review of a user's permission; it is answered, never stored. */
  public static final ResourceType<V1SubjectAccessReview> SUBJECT_ACCESS_REVIEW =
      new ResourceType<>(
          "authorization.k8s.io",
          "v1",
          "SubjectAccessReview",
          "subjectaccessreviews",
          false,
          V1SubjectAccessReview.class);

  /** A review of its creator's own permission; it is answered, never stored. */
  public static final ResourceType<V1SelfSubjectAccessReview> SELF_SUBJECT_ACCESS_REVIEW =
      new ResourceType<>(
          "authorization.k8s.io",
          "v1",
          "SelfSubjectAccessReview",
          "selfsubjectaccessreviews",
          false,
          V1SelfSubjectAccessReview.class);

  private CoreTypes() {}

  private static <T extends KubernetesObject> ResourceType<T> core(
      String kind, String plural, boolean namespaced, Class<T> type) {
    return new ResourceType<>("", "v1", kind, plural, namespaced, type);
  }
}
