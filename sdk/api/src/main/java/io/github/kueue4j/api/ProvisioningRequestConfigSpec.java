// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The ProvisioningRequests that the provisioning check creates.
 *
 * @param provisioningClassName the class of the requests
 * @param parameters passed to the autoscaler, at most 100
 * @param managedResources only pod sets that request one of these are provisioned, at most 100;
 *     empty is all
 * @param retryStrategy retries of failed requests; absent is the default
 * @param podSetUpdates the additions of a provisioned request to the pods
 * @param podSetMergePolicy which pod sets share one entry of a request; absent is none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequestConfigSpec(
    @Required String provisioningClassName,
    Map<String, String> parameters,
    List<String> managedResources,
    ProvisioningRetryStrategy retryStrategy,
    @Nullable ProvisioningPodSetUpdates podSetUpdates,
    @Nullable PodSetMergePolicy podSetMergePolicy) {
  public ProvisioningRequestConfigSpec {
    provisioningClassName = Lenient.text(provisioningClassName);
    parameters = Lenient.map(parameters);
    managedResources = Lenient.list(managedResources);
    retryStrategy = retryStrategy == null ? ProvisioningRetryStrategy.defaults() : retryStrategy;
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static ProvisioningRequestConfigSpec empty() {
    return new ProvisioningRequestConfigSpec(
        "", Map.of(), List.of(), ProvisioningRetryStrategy.defaults(), null, null);
  }
}
