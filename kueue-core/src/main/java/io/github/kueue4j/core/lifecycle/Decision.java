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

import io.github.kueue4j.api.Workload;
import java.util.List;

/**
 * What a rule wants to be written.
 *
 * @param spec whether it is the spec that changes, not the status
 * @param applied the sightings once it is written
 */
record Decision(
    Rule rule,
    Workload after,
    boolean spec,
    Sightings applied,
    List<LifecycleEvent> events,
    List<Fact> facts) {

  /** R8(a) and R11: deactivate, and nothing else in the same patch. */
  static Decision deactivate(Rule rule, View view) {
    Workload workload = view.workload();
    return new Decision(
        rule,
        workload.withSpec(workload.spec().withActive(false)),
        true,
        view.seen(),
        List.of(),
        List.of());
  }
}
