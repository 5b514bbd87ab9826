// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * One check of a ClusterQueue and the flavors it is limited to.
 *
 * @param name the AdmissionCheck
 * @param onFlavors flavors whose use requires the check; empty is all flavors of the queue
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckStrategyRule(@Required String name, List<String> onFlavors) {
  public AdmissionCheckStrategyRule {
    name = Lenient.text(name);
    onFlavors = Lenient.list(onFlavors);
  }
}
