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
package io.github.kueue4j.e2e.explore;

import java.util.Arrays;
import java.util.BitSet;

/** The steps that happen without anybody making trouble, from state to state. */
final class FreeEdges {
  private int[] froms = new int[1 << 12];
  private int[] tos = new int[1 << 12];
  private int size;

  void add(int from, int to) {
    if (size == froms.length) {
      froms = Arrays.copyOf(froms, 2 * size);
      tos = Arrays.copyOf(tos, 2 * size);
    }
    froms[size] = from;
    tos[size++] = to;
  }

  /** The states from which one of {@code goals} can be reached. */
  BitSet reaching(BitSet goals, int states) {
    int[] starts = new int[states + 1];
    for (int edge = 0; edge < size; edge++) {
      starts[tos[edge] + 1]++;
    }
    for (int state = 0; state < states; state++) {
      starts[state + 1] += starts[state];
    }
    int[] sources = new int[size];
    int[] next = Arrays.copyOf(starts, states);
    for (int edge = 0; edge < size; edge++) {
      sources[next[tos[edge]]++] = froms[edge];
    }
    BitSet reaching = new BitSet(states);
    int[] open = new int[states];
    int count = 0;
    for (int goal = goals.nextSetBit(0); goal >= 0; goal = goals.nextSetBit(goal + 1)) {
      reaching.set(goal);
      open[count++] = goal;
    }
    for (int i = 0; i < count; i++) {
      for (int edge = starts[open[i]]; edge < starts[open[i] + 1]; edge++) {
        int source = sources[edge];
        if (!reaching.get(source)) {
          reaching.set(source);
          open[count++] = source;
        }
      }
    }
    return reaching;
  }
}
