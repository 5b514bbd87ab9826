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
package io.github.kueue4j.core.job;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How far a Job is, as its status counts it.
 *
 * @param counted what is counted: {@code pods}, or {@code Jobs} of a kind that is made of them
 * @param active how many have not ended
 * @param ready how many of those are ready; null if the status doesn't say
 * @param terminating how many pods are on their way out; null if the status doesn't say
 */
@API(status = API.Status.INTERNAL)
public record JobProgress(
    String counted, int active, @Nullable Integer ready, @Nullable Integer terminating) {

  /** How many should be ready now and aren't; 0 if the status doesn't say. */
  public int unready() {
    return ready == null ? 0 : Math.max(0, active - ready);
  }
}
