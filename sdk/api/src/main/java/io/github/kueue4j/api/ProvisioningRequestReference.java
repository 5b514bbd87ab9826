// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * A reference to an object in the same namespace.
 *
 * @param name the object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequestReference(String name) {
  public ProvisioningRequestReference {
    name = Lenient.text(name);
  }
}
