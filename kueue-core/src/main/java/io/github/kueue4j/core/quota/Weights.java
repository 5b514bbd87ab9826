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
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.FairSharing;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Weights of fair sharing as numbers: 1 unless stated, never below 0. */
@API(status = API.Status.INTERNAL)
public final class Weights {
  private Weights() {}

  /** The weight that is stated, 0 or more; 1 where none is. */
  public static double of(@Nullable FairSharing fairSharing) {
    return fairSharing == null ? 1 : Math.max(0, fairSharing.weight().amount().doubleValue());
  }
}
