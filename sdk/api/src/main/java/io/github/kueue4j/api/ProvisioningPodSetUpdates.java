// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The additions of a provisioned request to the pods.
 *
 * @param nodeSelector keyed by key, at most 8
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningPodSetUpdates(List<ProvisioningNodeSelector> nodeSelector) {
  public ProvisioningPodSetUpdates {
    nodeSelector = Lenient.list(nodeSelector);
  }
}
