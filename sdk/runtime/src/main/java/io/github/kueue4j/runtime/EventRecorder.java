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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import org.apiguardian.api.API;

/**
 * Tells people about objects through events (events.k8s.io/v1).
 *
 * <p>Recording never waits for the server: events go through a bounded queue, and what doesn't fit
 * is dropped and counted. Equal events about one object within some minutes become one event with a
 * count (a series).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface EventRecorder extends AutoCloseable {

  /**
   * A recorder on this connection, in the name of its component.
   *
   * @param time what the events' times are read from
   * @param meters where written and dropped events are counted
   */
  static EventRecorder on(ClusterConnection connection, TimeSource time, MeterRegistry meters) {
    return new QueuedEventRecorder(connection, time, meters);
  }

  /**
   * Records something that went as it should.
   *
   * @param regarding the object; its kind, namespace, name and uid are used
   * @param reason one CamelCase word, at most 128 characters, for example {@code Admitted}
   * @param action what was done, CamelCase, for example {@code Admit}
   * @param note for a person; cut at 1,024 bytes
   */
  void normal(KubernetesObject regarding, String reason, String action, String note);

  /** Records something that a person should look at; parameters as for {@link #normal}. */
  void warning(KubernetesObject regarding, String reason, String action, String note);

  /** Writes what is queued, for at most a few seconds, and ends. */
  @Override
  void close();

  /** Records nothing. */
  static EventRecorder none() {
    return new EventRecorder() {
      @Override
      public void normal(KubernetesObject regarding, String reason, String action, String note) {}

      @Override
      public void warning(KubernetesObject regarding, String reason, String action, String note) {}

      @Override
      public void close() {}
    };
  }
}
