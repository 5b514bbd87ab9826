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

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The quota of one resource on one flavor.
 *
 * @param name the resource
 * @param nominalQuota own share
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

  /** A quota without limits on borrowing and lending. */
  public static ResourceQuota of(String name, Quantity nominalQuota) {
    return new ResourceQuota(name, nominalQuota, null, null);
  }

  /** A copy with another {@code name}. */
  public ResourceQuota withName(String name) {
    return new ResourceQuota(name, nominalQuota, borrowingLimit, lendingLimit);
  }

  /** A copy with another {@code nominalQuota}. */
  public ResourceQuota withNominalQuota(Quantity nominalQuota) {
    return new ResourceQuota(name, nominalQuota, borrowingLimit, lendingLimit);
  }

  /** A copy with another {@code borrowingLimit}. */
  public ResourceQuota withBorrowingLimit(@Nullable Quantity borrowingLimit) {
    return new ResourceQuota(name, nominalQuota, borrowingLimit, lendingLimit);
  }

  /** A copy with another {@code lendingLimit}. */
  public ResourceQuota withLendingLimit(@Nullable Quantity lendingLimit) {
    return new ResourceQuota(name, nominalQuota, borrowingLimit, lendingLimit);
  }
}
