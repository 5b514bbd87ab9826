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

/**
 * Whether the scheduler stops at a flavor that fits only by borrowing or preempting.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FlavorFungibilityPolicy(String value) implements OpenValue {
  /** It may stop. */
  public static final FlavorFungibilityPolicy MAY_STOP_SEARCH =
      new FlavorFungibilityPolicy("MayStopSearch");

  /** It tries the next flavor first. */
  public static final FlavorFungibilityPolicy TRY_NEXT_FLAVOR =
      new FlavorFungibilityPolicy("TryNextFlavor");

  @Override
  public String toString() {
    return value;
  }
}
