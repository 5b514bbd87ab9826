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
package io.github.kueue4j.core.lifecycle;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What is known and asked of the pods of an admitted Workload (KEP-1282).
 *
 * @param policy null if nobody waits for them
 * @param pods what their owner says
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodsReadiness(@Nullable PodsReadyPolicy policy, Pods pods) {

  /** What the owner says about its pods. */
  public enum Pods {
    /** Nothing: there is no owner, or somebody else looks after it. */
    UNKNOWN,
    /** At least one has neither become ready nor succeeded, or it wasn't started yet. */
    NOT_READY,
    /** All are ready or have succeeded. */
    READY
  }

  /** Nobody waits for pods. */
  public static final PodsReadiness NOT_ASKED = new PodsReadiness(null, Pods.UNKNOWN);

  /** Whether the core itself keeps the condition PodsReady. */
  boolean observed() {
    return policy != null && pods != Pods.UNKNOWN;
  }
}
