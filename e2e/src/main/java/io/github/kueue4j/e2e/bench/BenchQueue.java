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
package io.github.kueue4j.e2e.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One ClusterQueue of a load.
 *
 * @param cohort the name of its Cohort
 * @param name its own name
 */
record BenchQueue(String cohort, String name, Load.QueueKind kind) {

  /** All ClusterQueues of a load. */
  static List<BenchQueue> of(Load load) {
    List<BenchQueue> queues = new ArrayList<>();
    for (Load.CohortKind cohorts : load.cohorts()) {
      for (int c = 0; c < cohorts.count(); c++) {
        String cohort = cohorts.name() + "-" + c;
        for (Load.QueueKind kind : cohorts.queues()) {
          for (int q = 0; q < kind.count(); q++) {
            queues.add(new BenchQueue(cohort, cohort + "-" + kind.name() + "-" + q, kind));
          }
        }
      }
    }
    return queues;
  }
}
