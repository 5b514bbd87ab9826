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

import org.apiguardian.api.API;

/**
 * What is known about the object that runs on behalf of a Workload, usually a Job.
 *
 * <p>Quota is released only when nothing can run on it any more, so {@link #STOPPED} is a strong
 * statement: it comes from the one serial worker that also starts the owner, after reading the
 * owner from the API, with no start in flight. Whoever isn't that worker says {@link #UNKNOWN}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Owner {
  /** The Workload has no owner; it counts as stopped. */
  NONE,
  /** Not looked at; nothing that needs a stopped owner is planned. */
  UNKNOWN,
  /** Running, starting or not fully stopped. */
  RUNNING,
  /** Suspended without active pods, read live. */
  STOPPED;

  /** Whether quota may be given back without anything still running on it. */
  boolean stopped() {
    return this == NONE || this == STOPPED;
  }
}
