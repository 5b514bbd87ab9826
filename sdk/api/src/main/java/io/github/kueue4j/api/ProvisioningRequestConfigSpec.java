/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.api;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Which ProvisioningRequests the provisioning check creates.
 *
 * @param provisioningClassName the class of the requests
 * @param parameters handed to the autoscaler, at most 100
 * @param managedResources only pod sets that ask for one of these are provisioned, at most 100;
 *     empty is all
 * @param retryStrategy retries of failed requests; absent is the default
 * @param podSetUpdates what a provisioned request adds to the pods
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

  /** A copy with another {@code provisioningClassName}. */
  public ProvisioningRequestConfigSpec withProvisioningClassName(String provisioningClassName) {
    return new ProvisioningRequestConfigSpec(
        provisioningClassName,
        parameters,
        managedResources,
        retryStrategy,
        podSetUpdates,
        podSetMergePolicy);
  }

  /** A copy with another {@code parameters}. */
  public ProvisioningRequestConfigSpec withParameters(Map<String, String> parameters) {
    return new ProvisioningRequestConfigSpec(
        provisioningClassName,
        parameters,
        managedResources,
        retryStrategy,
        podSetUpdates,
        podSetMergePolicy);
  }

  /** A copy with another {@code managedResources}. */
  public ProvisioningRequestConfigSpec withManagedResources(List<String> managedResources) {
    return new ProvisioningRequestConfigSpec(
        provisioningClassName,
        parameters,
        managedResources,
        retryStrategy,
        podSetUpdates,
        podSetMergePolicy);
  }

  /** A copy with another {@code retryStrategy}. */
  public ProvisioningRequestConfigSpec withRetryStrategy(ProvisioningRetryStrategy retryStrategy) {
    return new ProvisioningRequestConfigSpec(
        provisioningClassName,
        parameters,
        managedResources,
        retryStrategy,
        podSetUpdates,
        podSetMergePolicy);
  }

  /** A copy with another {@code podSetUpdates}. */
  public ProvisioningRequestConfigSpec withPodSetUpdates(
      @Nullable ProvisioningPodSetUpdates podSetUpdates) {
    return new ProvisioningRequestConfigSpec(
        provisioningClassName,
        parameters,
        managedResources,
        retryStrategy,
        podSetUpdates,
        podSetMergePolicy);
  }

  /** A copy with another {@code podSetMergePolicy}. */
  public ProvisioningRequestConfigSpec withPodSetMergePolicy(
      @Nullable PodSetMergePolicy podSetMergePolicy) {
    return new ProvisioningRequestConfigSpec(
        provisioningClassName,
        parameters,
        managedResources,
        retryStrategy,
        podSetUpdates,
        podSetMergePolicy);
  }
}
