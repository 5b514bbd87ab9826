// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.util.Arrays;

/** Every world that was reached, in the order of its discovery, with the step that led to it. */
final class StateTable {
  private static final int OBJECT_BITS = 26;
  private static final int SIGHTING_BITS = 26;
  private static final int FLIGHT_BITS = 20;
  private static final int TOKEN_BITS = 24;
  private static final int GHOST_BITS = 20;
  private static final int ROOT = -1;

  private long[] first = new long[1 << 12];
  private long[] second = new long[1 << 12];
  private long[] budgets = new long[1 << 12];
  private int[] parents = new int[1 << 12];
  private short[] steps = new short[1 << 12];
  private int[] places = new int[1 << 14];
  private int size;

  StateTable() {
    Arrays.fill(places, ROOT);
  }

  int size() {
    return size;
  }

  /** The number of a world; a new one is the {@link #size} before. */
  int add(World world, int parent, int step) {
    long one =
        (fits(world.object(), OBJECT_BITS) << (SIGHTING_BITS + 8))
            | (fits(world.observedEntries(), SIGHTING_BITS) << 8)
            | fits(world.around(), 8);
    long two =
        (fits(world.flight(), FLIGHT_BITS) << (TOKEN_BITS + GHOST_BITS))
            | (fits(world.tokens(), TOKEN_BITS) << GHOST_BITS)
            | fits(world.ghost(), GHOST_BITS);
    int place = find(one, two, world.budgets());
    if (places[place] >= 0) {
      return places[place];
    }
    if (size == first.length) {
      grow();
    }
    first[size] = one;
    second[size] = two;
    budgets[size] = world.budgets();
    parents[size] = parent;
    steps[size] = (short) step;
    places[place] = size++;
    if (size * 2L > places.length) {
      rehash();
    }
    return size - 1;
  }

  private static long fits(int value, int bits) {
    if (value >>> bits != 0) {
      throw new IllegalStateException("more than 2^" + bits + " values of a kind; lower the bound");
    }
    return value;
  }

  private int find(long one, long two, long three) {
    int mask = places.length - 1;
    int place = (int) (mixed(one, two, three) & mask);
    while (true) {
      int there = places[place];
      if (there < 0 || (first[there] == one && second[there] == two && budgets[there] == three)) {
        return place;
      }
      place = (place + 1) & mask;
    }
  }

  private static long mixed(long one, long two, long three) {
    long hash = one * 0x9E3779B97F4A7C15L;
    hash = (Long.rotateLeft(hash, 31) ^ two) * 0xC2B2AE3D27D4EB4FL;
    hash = (Long.rotateLeft(hash, 29) ^ three) * 0x9FB21C651E98DF25L;
    return hash ^ (hash >>> 32);
  }

  private void grow() {
    int larger = first.length * 2;
    first = Arrays.copyOf(first, larger);
    second = Arrays.copyOf(second, larger);
    budgets = Arrays.copyOf(budgets, larger);
    parents = Arrays.copyOf(parents, larger);
    steps = Arrays.copyOf(steps, larger);
  }

  private void rehash() {
    places = new int[places.length * 2];
    Arrays.fill(places, ROOT);
    for (int state = 0; state < size; state++) {
      places[find(first[state], second[state], budgets[state])] = state;
    }
  }

  World world(int state) {
    long one = first[state];
    long two = second[state];
    return new World(
        (int) (one >>> (SIGHTING_BITS + 8)),
        (int) (one >>> 8) & ((1 << SIGHTING_BITS) - 1),
        (int) (two >>> (TOKEN_BITS + GHOST_BITS)),
        (int) (two >>> GHOST_BITS) & ((1 << TOKEN_BITS) - 1),
        (int) one & 0xff,
        budgets[state],
        (int) two & ((1 << GHOST_BITS) - 1));
  }

  /** The world from which this one was first reached; negative for the first world. */
  int parent(int state) {
    return parents[state];
  }

  /** The step by which it was first reached. */
  int step(int state) {
    return steps[state];
  }
}
