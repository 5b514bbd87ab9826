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

  private static final String API_VERSION = GROUP + '/' + VERSION;

  /** The versions in which a server may serve what a check needs, the newest first. */
  public static final List<String> VERSIONS = List.of(VERSION, "v1beta1");

  public static final ResourceType<Workload> WORKLOAD =
      ResourceType.of(API_VERSION, "Workload", Workload.class);

  public static final ResourceType<ClusterQueue> CLUSTER_QUEUE =
      ResourceType.of(API_VERSION, "ClusterQueue", ClusterQueue.class).clusterScoped();

  public static final ResourceType<LocalQueue> LOCAL_QUEUE =
      ResourceType.of(API_VERSION, "LocalQueue", LocalQueue.class);

  public static final ResourceType<Cohort> COHORT =
      ResourceType.of(API_VERSION, "Cohort", Cohort.class).clusterScoped();

  public static final ResourceType<ResourceFlavor> RESOURCE_FLAVOR =
      ResourceType.of(API_VERSION, "ResourceFlavor", ResourceFlavor.class).clusterScoped();

  public static final ResourceType<AdmissionCheck> ADMISSION_CHECK =
      ResourceType.of(API_VERSION, "AdmissionCheck", AdmissionCheck.class).clusterScoped();

  public static final ResourceType<WorkloadPriorityClass> WORKLOAD_PRIORITY_CLASS =
      ResourceType.of(API_VERSION, "WorkloadPriorityClass", WorkloadPriorityClass.class)
          .clusterScoped();

  public static final ResourceType<ProvisioningRequestConfig> PROVISIONING_REQUEST_CONFIG =
      ResourceType.of(API_VERSION, "ProvisioningRequestConfig", ProvisioningRequestConfig.class)
          .clusterScoped();

  /** The cluster autoscaler's kind, not one of ours. */
  public static final ResourceType<ProvisioningRequest> PROVISIONING_REQUEST =
      ResourceType.of("autoscaling.x-k8s.io/v1", "ProvisioningRequest", ProvisioningRequest.class);

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
