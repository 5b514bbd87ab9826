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
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A Workload that waits for quota. Ordered as its ClusterQueue serves: higher priority first, then
 * who has waited longer, then by uid.
 *
 * @param key namespace and name
 * @param uid of the object
 * @param localQueue the LocalQueue it came through
 * @param queuedSince the instant that decides its place
 * @param shape what it asks for
 */
@API(status = API.Status.INTERNAL)
public record QueuedWorkload(
    ObjectKey key, String uid, String localQueue, Instant queuedSince, Shape shape)
    implements Comparable<QueuedWorkload> {
  private static final Comparator<QueuedWorkload> ORDER =
      Comparator.comparingInt(QueuedWorkload::priority)
          .reversed()
          .thenComparing(QueuedWorkload::queuedSince)
          .thenComparing(QueuedWorkload::uid)
          .thenComparing(QueuedWorkload::key);

  public QueuedWorkload {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(localQueue, "localQueue");
    Objects.requireNonNull(queuedSince, "queuedSince");
    Objects.requireNonNull(shape, "shape");
  }

  public static QueuedWorkload of(
      ObjectKey key,
      String uid,
      String localQueue,
      int priority,
      Instant queuedSince,
      List<PodSetDemand> podSets) {
    return new QueuedWorkload(
        key, uid, localQueue, queuedSince, new Shape(key.namespace(), priority, podSets));
  }

  /** The same, but it has nobody evicted: it waits for quota that is free. */
  public QueuedWorkload withoutPreemption() {
    return new QueuedWorkload(key, uid, localQueue, queuedSince, shape.withoutPreemption());
  }

  /** Whether it has nobody evicted. */
  public boolean peaceful() {
    return shape.peaceful();
  }

  /** The LocalQueue it came through, with its namespace. */
  public ObjectKey localQueueKey() {
    return new ObjectKey(key.namespace(), localQueue);
  }

  public int priority() {
    return shape.priority();
  }

  public List<PodSetDemand> podSets() {
    return shape.podSets();
  }

  @Override
  public int compareTo(QueuedWorkload other) {
    return ORDER.compare(this, other);
  }
}
