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
package io.github.kueue4j.sdk.controller;

import io.github.resilience4j.bulkhead.Bulkhead;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The guards of a controller's checks: one per AdmissionCheck, all with the same bulkhead. */
final class GuardSet implements AutoCloseable {

  private final Guards guards;
  private final InstantSource time;
  private final CheckMetrics metrics;
  private final Bulkhead bulkhead;
  private final List<Runnable> gauges = new CopyOnWriteArrayList<>();
  private final AuthorCalls calls;
  private final Map<String, Guard> byCheck = new ConcurrentHashMap<>();

  GuardSet(String controllerName, Guards guards, InstantSource time, CheckMetrics metrics) {
    this.guards = guards;
    this.time = time;
    this.metrics = metrics;
    this.bulkhead = Guard.bulkhead(controllerName, guards);
    this.calls = new AuthorCalls(guards.timeout());
  }

  Guards guards() {
    return guards;
  }

  Guard of(String check) {
    return byCheck.computeIfAbsent(check, this::guard);
  }

  private Guard guard(String check) {
    Guard guard = Guard.of(check, guards, bulkhead, time, calls);
    gauges.add(metrics.breaker(check, guard::breakerState));
    return guard;
  }

  /** For the author's other methods, which only a timeout guards. */
  AuthorCalls calls() {
    return calls;
  }

  @Override
  public void close() {
    gauges.forEach(Runnable::run);
    calls.close();
  }
}
