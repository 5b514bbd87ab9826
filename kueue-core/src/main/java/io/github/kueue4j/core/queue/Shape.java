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

import java.util.List;
import org.apiguardian.api.API;

/**
 * Everything about a waiting Workload that decides whether it fits: Workloads of equal shape fare
 * equally, so one try speaks for all of them. The hash is computed once, as shapes are looked up
 * far more often than made.
 */
@API(status = API.Status.INTERNAL)
public final class Shape {
  private final String namespace;
  private final int priority;
  private final List<PodSetDemand> podSets;
  private final boolean peaceful;
  private final int hash;

  Shape(String namespace, int priority, List<PodSetDemand> podSets) {
    this(namespace, priority, podSets, false);
  }

  private Shape(String namespace, int priority, List<PodSetDemand> podSets, boolean peaceful) {
    this.namespace = namespace;
    this.priority = priority;
    this.podSets = List.copyOf(podSets);
    this.peaceful = peaceful;
    this.hash =
        ((namespace.hashCode() * 31 + priority) * 31 + this.podSets.hashCode()) * 31
            + Boolean.hashCode(peaceful);
  }

  /** The same, but evicting nobody. */
  Shape withoutPreemption() {
    return new Shape(namespace, priority, podSets, true);
  }

  boolean peaceful() {
    return peaceful;
  }

  int priority() {
    return priority;
  }

  List<PodSetDemand> podSets() {
    return podSets;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Shape shape
            && hash == shape.hash
            && priority == shape.priority
            && peaceful == shape.peaceful
            && namespace.equals(shape.namespace)
            && podSets.equals(shape.podSets));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
