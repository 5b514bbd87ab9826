// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.FairSharing;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Weights of fair sharing as numbers: 1 unless stated, never below 0. */
@API(status = API.Status.INTERNAL)
public final class Weights {
  private Weights() {}

  /** The weight in the spec, 0 or more; 1 if there is none. */
  public static double of(@Nullable FairSharing fairSharing) {
    return fairSharing == null ? 1 : Math.max(0, fairSharing.weight().amount().doubleValue());
  }
}
