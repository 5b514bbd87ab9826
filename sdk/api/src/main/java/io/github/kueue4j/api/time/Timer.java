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
package io.github.kueue4j.api.time;

import java.time.Instant;

/**
 * A task that waits for its instant; equal instants keep the order in which they were asked for.
 */
record Timer(Instant when, long sequence, Runnable task) implements Comparable<Timer> {

  @Override
  public int compareTo(Timer other) {
    int byTime = when.compareTo(other.when);
    return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
  }
}
