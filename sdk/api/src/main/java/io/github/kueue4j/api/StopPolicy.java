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
 * Whether a queue is stopped.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StopPolicy(String value) implements OpenValue {
  /** It runs. */
  public static final StopPolicy NONE = new StopPolicy("None");

  /** Nothing new is admitted; reservations that are not admitted yet are taken back. */
  public static final StopPolicy HOLD = new StopPolicy("Hold");

  /** As Hold, and admitted workloads are evicted. */
  public static final StopPolicy HOLD_AND_DRAIN = new StopPolicy("HoldAndDrain");

  @Override
  public String toString() {
    return value;
  }
}
