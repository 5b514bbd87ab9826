// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.StopPolicy;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The settings of a LocalQueue or ClusterQueue that the lifecycle needs.
 *
 * @param name for messages; the name that was looked up if the queue doesn't exist
 * @param exists whether the queue exists
 * @param terminating whether it is being deleted
 * @param stopPolicy its stop policy; an unknown one counts as None
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QueueSettings(
    String name, boolean exists, boolean terminating, StopPolicy stopPolicy) {

  public QueueSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(stopPolicy, "stopPolicy");
  }

  /** A LocalQueue of the API. */
  public static QueueSettings of(LocalQueue queue) {
    return of(queue.metadata(), queue.spec().stopPolicy());
  }

  /** A ClusterQueue of the API. */
  public static QueueSettings of(ClusterQueue queue) {
    return of(queue.metadata(), queue.spec().stopPolicy());
  }

  private static QueueSettings of(V1ObjectMeta metadata, StopPolicy stopPolicy) {
    return new QueueSettings(
        metadata.getName(), true, metadata.getDeletionTimestamp() != null, stopPolicy);
  }

  /** A queue that exists and runs. */
  public static QueueSettings running(String name) {
    return new QueueSettings(name, true, false, StopPolicy.NONE);
  }

  /** A queue that exists with the given stop policy. */
  public static QueueSettings stopped(String name, StopPolicy policy) {
    return new QueueSettings(name, true, false, policy);
  }

  /** A queue that doesn't exist. */
  public static QueueSettings missing(String name) {
    return new QueueSettings(name, false, false, StopPolicy.NONE);
  }

  /** A queue that is being deleted. */
  public static QueueSettings terminating(String name) {
    return new QueueSettings(name, true, true, StopPolicy.NONE);
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
