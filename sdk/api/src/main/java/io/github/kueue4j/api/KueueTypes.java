// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/** The kinds that this module models: {@code kueue.x-k8s.io} and the ProvisioningRequest. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KueueTypes {

  /** The API group. */
  public static final String GROUP = "kueue.x-k8s.io";

  /** The version that is read and written. */
  public static final String VERSION = "v1beta2";

  /** The versions in which a server may serve what a check needs, the newest first. */
  public static final List<String> VERSIONS = List.of(VERSION, "v1beta1");

  public static final ResourceType<Workload> WORKLOAD =
      new ResourceType<>(GROUP, VERSION, "Workload", "workloads", true, Workload.class);

  public static final ResourceType<ClusterQueue> CLUSTER_QUEUE =
      new ResourceType<>(
          GROUP, VERSION, "ClusterQueue", "clusterqueues", false, ClusterQueue.class);

  public static final ResourceType<LocalQueue> LOCAL_QUEUE =
      new ResourceType<>(GROUP, VERSION, "LocalQueue", "localqueues", true, LocalQueue.class);

  public static final ResourceType<Cohort> COHORT =
      new ResourceType<>(GROUP, VERSION, "Cohort", "cohorts", false, Cohort.class);

  public static final ResourceType<ResourceFlavor> RESOURCE_FLAVOR =
      new ResourceType<>(
          GROUP, VERSION, "ResourceFlavor", "resourceflavors", false, ResourceFlavor.class);

  public static final ResourceType<AdmissionCheck> ADMISSION_CHECK =
      new ResourceType<>(
          GROUP, VERSION, "AdmissionCheck", "admissionchecks", false, AdmissionCheck.class);

  public static final ResourceType<WorkloadPriorityClass> WORKLOAD_PRIORITY_CLASS =
      new ResourceType<>(
          GROUP,
          VERSION,
          "WorkloadPriorityClass",
          "workloadpriorityclasses",
          false,
          WorkloadPriorityClass.class);

  public static final ResourceType<ProvisioningRequestConfig> PROVISIONING_REQUEST_CONFIG =
      new ResourceType<>(
          GROUP,
          VERSION,
          "ProvisioningRequestConfig",
          "provisioningrequestconfigs",
          false,
          ProvisioningRequestConfig.class);

  /** The cluster autoscaler's kind, not one of ours. */
  public static final ResourceType<ProvisioningRequest> PROVISIONING_REQUEST =
      new ResourceType<>(
          "autoscaling.x-k8s.io",
          "v1",
          "ProvisioningRequest",
          "provisioningrequests",
          true,
          ProvisioningRequest.class);

  /** The kinds of {@link #GROUP}. */
  public static final List<ResourceType<? extends ApiObject>> ALL =
      List.of(
          WORKLOAD,
          CLUSTER_QUEUE,
          LOCAL_QUEUE,
          COHORT,
          RESOURCE_FLAVOR,
          ADMISSION_CHECK,
          WORKLOAD_PRIORITY_CLASS,
          PROVISIONING_REQUEST_CONFIG);

  private KueueTypes() {}
}
