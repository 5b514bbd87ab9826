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

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * When and how often a workload was put back.
 *
 * @param count requeues because its pods were not ready in time (KEP-1282), 0 or more
 * @param requeueAt not queued before this instant (KEP-1282, KEP-3258); whole seconds, a fraction
 *     is cut off
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequeueState(@Nullable Integer count, @Nullable Instant requeueAt) {
  public RequeueState {
    requeueAt = Lenient.seconds(requeueAt);
  }

  /** Nothing counted, nothing to wait for. */
  public static RequeueState empty() {
    return new RequeueState(null, null);
  }

  /** A copy with another {@code count}. */
  public RequeueState withCount(@Nullable Integer count) {
    return new RequeueState(count, requeueAt);
  }

  /** A copy with another {@code requeueAt}. */
  public RequeueState withRequeueAt(@Nullable Instant requeueAt) {
    return new RequeueState(count, requeueAt);
  }
}
