// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The weight of a queue or cohort among its siblings.
 *
 * @param weight 0 or more than 1n; absent is 1; 0 comes last
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FairSharing(Quantity weight) {
  public FairSharing {
    weight = weight == null ? Quantity.ONE : weight;
  }
}
