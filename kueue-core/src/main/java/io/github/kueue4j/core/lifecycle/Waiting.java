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

/** What a Workload waits for when there is nothing to write. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Waiting {
  /** For nothing: it finished. */
  FINISHED,
  /** For a user who activates it again. */
  ACTIVATION,
  /** For its owner to stop, so that quota can be given back. */
  OWNER_TO_STOP,
  /** For its owner to finish. */
  OWNER_TO_FINISH,
  /** For the verdicts of required checks. */
  CHECKS,
  /** For victims of a deferred preemption to give back quota. */
  VICTIMS,
  /** For the end of a delay. */
  DEADLINE,
  /** For a stopped or missing queue. */
  QUEUE,
  /** For the scheduler to find quota. */
  QUOTA
}
