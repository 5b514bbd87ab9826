// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import org.apiguardian.api.API;

/**
 * Records events about objects (events.k8s.io/v1).
 *
 * <p>Recording never waits for the server: events go through a bounded queue; when it is full, they
 * are dropped and counted. Equal events about one object within some minutes become one event with
 * a count (a series).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface EventRecorder extends AutoCloseable {

  /**
   * A recorder on this connection, with its component as the reporting controller.
   *
   * @param time source of the events' times
   * @param meters for the counts of written and dropped events
   */
  static EventRecorder on(ClusterConnection connection, TimeSource time, MeterRegistry meters) {
    return new QueuedEventRecorder(connection, time, meters, QueuedEventRecorder.LAST_WORDS);
  }

  /**
   * Records a Normal event, about an expected step.
   *
   * @param regarding the object; its kind, namespace, name and uid are used
   * @param reason one CamelCase word, at most 128 characters, for example {@code Admitted}
   * @param action one CamelCase word, for example {@code Admit}
   * @param note text for people; cut to 1,024 bytes
   */
  void normal(KubernetesObject regarding, String reason, String action, String note);

  /** Records a Warning event, about a problem; parameters as for {@link #normal}. */
  void warning(KubernetesObject regarding, String reason, String action, String note);

  /** Writes the queued events, for at most a few seconds, and stops. */
  @Override
  void close();
}
