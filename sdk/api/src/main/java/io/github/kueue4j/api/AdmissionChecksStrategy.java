// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The checks of a ClusterQueue.
 *
 * @param admissionChecks keyed by name, 1 to 64
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionChecksStrategy(@Required List<AdmissionCheckStrategyRule> admissionChecks) {
  public AdmissionChecksStrategy {
    admissionChecks = Lenient.list(admissionChecks);
  }
}
