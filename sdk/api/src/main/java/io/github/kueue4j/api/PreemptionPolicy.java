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
 * kueue4j extension: when quota for a workload under this check may be freed by preemption
 * (KEP-993).
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PreemptionPolicy(String value) implements OpenValue {
  /** Before the check runs. */
  public static final PreemptionPolicy ANYTIME = new PreemptionPolicy("Anytime");

  /** Only when the check passed, or when it asks for it. */
  public static final PreemptionPolicy AFTER_CHECK_PASSED_OR_ON_DEMAND =
      new PreemptionPolicy("AfterCheckPassedOrOnDemand");

  @Override
  public String toString() {
    return value;
  }
}
