// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.util.Arrays;
import java.util.BitSet;

/** The steps that happen without {@link Trouble}, from state to state. */
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
