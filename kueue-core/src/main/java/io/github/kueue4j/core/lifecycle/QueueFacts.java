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

import io.github.kueue4j.api.StopPolicy;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * What the lifecycle needs to know about a LocalQueue or ClusterQueue.
 *
 * @param name for messages; the name that was asked for when the queue doesn't exist
 * @param exists whether the queue exists
 * @param terminating whether it is being deleted
 * @param stopPolicy its stop policy; an unknown one counts as None
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QueueFacts(String name, boolean exists, boolean terminating, StopPolicy stopPolicy) {

  public QueueFacts {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(stopPolicy, "stopPolicy");
  }

  /** A queue that exists and runs. */
  public static QueueFacts running(String name) {
    return new QueueFacts(name, true, false, StopPolicy.NONE);
  }

  /** A queue that exists with the given stop policy. */
  public static QueueFacts stopped(String name, StopPolicy policy) {
    return new QueueFacts(name, true, false, policy);
  }

  /** A queue that doesn't exist. */
  public static QueueFacts missing(String name) {
    return new QueueFacts(name, false, false, StopPolicy.NONE);
  }

  /** A queue that is being deleted. */
  public static QueueFacts terminating(String name) {
    return new QueueFacts(name, true, true, StopPolicy.NONE);
  }

  /** Whether it exists and isn't being deleted. */
  boolean present() {
    return exists && !terminating;
  }

  /** Whether it exists, isn't being deleted and isn't stopped. */
  boolean runs() {
    return present() && !stopped();
  }

  /** Whether it exists and its policy stops it, with or without draining. */
  boolean stopped() {
    return present() && (stopPolicy.equals(StopPolicy.HOLD) || drains());
  }

  /** Whether it exists and its policy evicts what was admitted. */
  boolean drains() {
    return present() && stopPolicy.equals(StopPolicy.HOLD_AND_DRAIN);
  }
}
