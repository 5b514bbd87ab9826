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
package io.github.kueue4j.sdk.fence;

import io.github.kueue4j.api.AdmissionCheckState;
import org.apiguardian.api.API;

/** What becomes of a verdict. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Decision {

  /**
   * Patch the check's entry, and only that.
   *
   * @param before the entry in the newest object
   * @param after the entry as it shall be, different from {@code before}
   */
  record Write(AdmissionCheckState before, AdmissionCheckState after) implements Decision {}

  /** The verdict holds and the newest object says so already. */
  record Keep() implements Decision {}

  /** Too late: forget the verdict. */
  record Drop(Cause cause) implements Decision {}

  /** Too late: forget the verdict, and judge the workload again as soon as it is due. */
  record DropAndEvaluateAnew(Cause cause) implements Decision {}
}
