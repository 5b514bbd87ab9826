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
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A kind of object that runs on behalf of a Workload. Implementations are pure: they read an object
 * and return what it shall become; the arguments are never changed, but by {@link #trimmed}. {@link
 * PodTemplates} does with one pod template what a start and a stop take.
 *
 * @param <T> the class of the objects
 */
@API(status = API.Status.INTERNAL)
public interface JobKind<T extends KubernetesObject> {
  /** The name by which {@code integrations.frameworks} of the configuration switches it on. */
  String framework();

  /** Where the objects are served. */
  ResourceType<T> type();

  /**
   * The object as caches keep it, see {@link Trimming}: every other method answers the same for it,
   * but that its {@link #podSets} can be compared and not written.
   *
   * @param read given up by the caller: it may be changed
   */
  T trimmed(T read);

  /** What its pods ask for. */
  List<PodSet> podSets(T job);

  /** Name of the PriorityClass that its pods name; empty if they name none. */
  Optional<String> podPriorityClass(T job);

  /** How it ended; empty while it hasn't. */
  Optional<FinishedOwner> finished(T job);

  /** Whether it may not run: suspended, and not still being stopped. */
  boolean suspended(T job);

  /** Whether it is suspended, but has not yet gone all steps of its stop. */
  default boolean stopBegun(T job) {
    return false;
  }

  /** Whether it is suspended and none of its pods is left. */
  boolean stopped(T job);

  /**
   * Whether all pods of every pod set that may run now are ready or have succeeded (KEP-1282);
   * meaningful only while it runs.
   */
  boolean podsReady(T job);

  /** What its status counts. */
  JobProgress progress(T job);

  /** A label selector of its pods. */
  String podSelector(T job);

  /**
   * How many pods of each pod set will never run again, although they count in {@link #podSets}:
   * their quota can be used by others (KEP-78). Pod sets without such pods are left out.
   */
  Map<String, Integer> reclaimablePods(T job);

  /** What it becomes when its Workload is admitted. */
  Start<T> start(T job, List<PodSetStart> podSets);

  /**
   * Selects by label the Jobs that the object has made and resumes when it is resumed itself;
   * empty: it makes none.
   */
  default Optional<String> children(T job) {
    return Optional.empty();
  }

  /**
   * One of its {@link #children} as it has to be before it is resumed; empty if it is so already.
   *
   * @param resumed the object as it is to run
   */
  default Optional<V1Job> beforeResumption(T resumed, V1Job child) {
    return Optional.empty();
  }

  /**
   * The next step on the way to being suspended as it was before its start; empty when it is there.
   * A Job that its user has suspended still has to be brought back to what it was.
   *
   * @param podSets the original pods, as in the Workload
   */
  Optional<StopStep<T>> nextStopStep(T job, List<PodSet> podSets);

  /** The outcome of preparing a start. */
  sealed interface Start<T extends KubernetesObject> {
    /** The object that runs. */
    record Ready<T extends KubernetesObject>(T after) implements Start<T> {}

    /**
     * It counts as started, which keeps its template from changing (KEP-2926): its status has to be
     * written first, and then it is asked again.
     */
    record ResetFirst<T extends KubernetesObject>(T after) implements Start<T> {}

    /** It can't run with what the flavors and checks ask for, now or ever. */
    record Impossible<T extends KubernetesObject>(String why) implements Start<T> {}
  }

  /**
   * One write on the way to being stopped.
   *
   * @param after what the object becomes
   * @param inStatus whether the status endpoint takes the change
   * @param possible whether the API server takes it now: it may keep a template from changing until
   *     the last of its pods is gone (KEP-5440)
   */
  record StopStep<T extends KubernetesObject>(T after, boolean inStatus, boolean possible) {}
}
