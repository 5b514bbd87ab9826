// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The quota of one resource on one flavor.
 *
 * @param name the resource
 * @param nominalQuota the own quota
 * @param borrowingLimit the most that may be used above the nominal quota; absent is unlimited
 * @param lendingLimit the most of the nominal quota that others may use; absent is all of it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceQuota(
    @Required String name,
    @Required Quantity nominalQuota,
    @Nullable Quantity borrowingLimit,
    @Nullable Quantity lendingLimit) {
  public ResourceQuota {
    name = Lenient.text(name);
    nominalQuota = nominalQuota == null ? Quantity.ZERO : nominalQuota;
  }
}
