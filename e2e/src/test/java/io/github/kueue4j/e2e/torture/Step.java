// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
