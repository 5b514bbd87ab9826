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
package io.github.kueue4j.core.admission;

import org.apiguardian.api.API;

/** What the defaults of Jobs depend on beside the Job. */
@API(status = API.Status.INTERNAL)
public interface Surroundings {
  /** Whether Jobs of that namespace are managed. */
  boolean managesNamespace(String namespace);

  /** Whether there is such a LocalQueue. */
  boolean hasLocalQueue(String namespace, String name);

  /** Whether there is such a WorkloadPriorityClass. */
  boolean hasWorkloadPriorityClass(String name);

  /**
   * Whether an object, the controller of a Job, is itself managed and so decides when the Job runs.
   *
   * @param apiVersion its group and version
   * @param name in that namespace
   */
  boolean managesOwner(String namespace, String apiVersion, String kind, String name);

  /** Whether objects of that kind can be managed: they get queues themselves, or none at all. */
  boolean managesKind(String apiVersion, String kind);
}
