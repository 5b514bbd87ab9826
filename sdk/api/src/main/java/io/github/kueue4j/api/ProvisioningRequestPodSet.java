// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * A group of identical pods.
 *
 * @param podTemplateRef a PodTemplate in the same namespace
 * @param count at least 1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequestPodSet(
    @Required ProvisioningRequestReference podTemplateRef, @Required int count) {
  public ProvisioningRequestPodSet {
    podTemplateRef = podTemplateRef == null ? new ProvisioningRequestReference("") : podTemplateRef;
  }
}
