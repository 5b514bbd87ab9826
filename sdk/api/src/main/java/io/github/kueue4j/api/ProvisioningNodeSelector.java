// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * A node label whose value the autoscaler provides.
 *
 * @param key the label key
 * @param valueFromProvisioningClassDetail the key in the request's provisioningClassDetails that
 *     holds the value
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningNodeSelector(
    @Required String key, @Required String valueFromProvisioningClassDetail) {
  public ProvisioningNodeSelector {
    key = Lenient.text(key);
    valueFromProvisioningClassDetail = Lenient.text(valueFromProvisioningClassDetail);
  }
}
