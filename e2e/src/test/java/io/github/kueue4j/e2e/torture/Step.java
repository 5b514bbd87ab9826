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
package io.github.kueue4j.e2e.torture;

import io.github.kueue4j.api.StopPolicy;
import java.time.Duration;

/** One line of a script: what a user, an administrator, the network or a machine does next. */
sealed interface Step {

  /** A user creates work. */
  record Create(int cpus, boolean behindJob) implements Step {}

  /**
   * A user switches a Workload off or on.
   *
   * @param which of those created so far, counted round
   */
  record Activate(int which, boolean active) implements Step {}

  /** A user deletes a Workload, or the Job behind it. */
  record Delete(int which) implements Step {}

  /** A user changes a Workload's priority. */
  record Prioritize(int which, int priority) implements Step {}

  /** An administrator stops the queue, or lets it run again. */
  record Stop(StopPolicy policy) implements Step {}

  /** An administrator changes the quota. */
  record Quota(int cpus) implements Step {}

  /** An administrator asks for the second naive check, or doesn't any more. */
  record Ask(boolean both) implements Step {}

  /** The core is killed and started again. */
  record Kill() implements Step {}

  /** The SDK's controller ends and is started again. */
  record Restart() implements Step {}

  /** The server, or the way to it, behaves badly towards the core and the SDK's controller. */
  record Disturb(Trouble trouble, Duration duration) implements Step {}

  /** Nothing happens for a while. */
  record Pass(Duration duration) implements Step {}
}
