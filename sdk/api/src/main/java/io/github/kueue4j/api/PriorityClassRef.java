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
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * Where the priority of a workload came from: a pod PriorityClass or a WorkloadPriorityClass.
 *
 * @param group {@code scheduling.k8s.io} or {@code kueue.x-k8s.io}
 * @param kind {@code PriorityClass} or {@code WorkloadPriorityClass}
 * @param name the class
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PriorityClassRef(
    @Required String group, @Required String kind, @Required String name) {
  public PriorityClassRef {
    group = Lenient.text(group);
    kind = Lenient.text(kind);
    name = Lenient.text(name);
  }

  /** A copy with another {@code group}. */
  public PriorityClassRef withGroup(String group) {
    return new PriorityClassRef(group, kind, name);
  }

  /** A copy with another {@code kind}. */
  public PriorityClassRef withKind(String kind) {
    return new PriorityClassRef(group, kind, name);
  }

  /** A copy with another {@code name}. */
  public PriorityClassRef withName(String name) {
    return new PriorityClassRef(group, kind, name);
  }
}
