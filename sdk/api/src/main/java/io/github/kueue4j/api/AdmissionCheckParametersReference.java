// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * A reference to the object with the parameters of a check.
 *
 * @param apiGroup its API group
 * @param kind its kind
 * @param name its name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckParametersReference(
    @Required String apiGroup, @Required String kind, @Required String name) {
  public AdmissionCheckParametersReference {
    apiGroup = Lenient.text(apiGroup);
    kind = Lenient.text(kind);
    name = Lenient.text(name);
  }
}
