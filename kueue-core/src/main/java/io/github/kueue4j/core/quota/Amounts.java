// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * An immutable vector of amounts; a key that is absent has the amount 0, and no amount of 0 is
 * stored, so vectors with the same amounts are equal. Sums and products saturate.
 *
 * @param <K> what the amounts belong to: resource names, or {@link FlavorResource}s
 */
@API(status = API.Status.INTERNAL)
public final class Amounts<K extends Comparable<K>> {
  private static final Amounts<String> NONE = new Amounts<>(new TreeMap<String, Long>());

  private final SortedMap<K, Long> byKey;

  private Amounts(SortedMap<K, Long> byKey) {
    byKey.values().removeIf(amount -> amount == 0);
    this.byKey = Collections.unmodifiableSortedMap(byKey);
  }

  /** No amounts. */
  public static <K extends Comparable<K>> Amounts<K> none() {
    @SuppressWarnings("unchecked") // It has no key of any type, and never will.
    Amounts<K> none = (Amounts<K>) NONE;
    return none;
  }

  public static <K extends Comparable<K>> Amounts<K> of(Map<K, Long> amounts) {
    return new Amounts<>(new TreeMap<K, Long>(amounts));
  }

  public static <K extends Comparable<K>> Amounts<K> of(K key, long amount) {
    return of(Map.of(key, amount));
  }

  public long get(K key) {
    return byKey.getOrDefault(key, 0L);
  }

  /** The amounts other than 0, sorted by key; unmodifiable. */
  public SortedMap<K, Long> asMap() {
    return byKey;
  }

  public boolean isEmpty() {
    return byKey.isEmpty();
  }

  /** Whether an amount is {@link Long#MAX_VALUE}, which may be the result of an overflow. */
  public boolean saturated() {
    return byKey.containsValue(Long.MAX_VALUE);
  }

  public Amounts<K> plus(Amounts<K> other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    TreeMap<K, Long> sum = new TreeMap<>(byKey);
    other.byKey.forEach((key, amount) -> sum.merge(key, amount, Amounts::add));
    return new Amounts<>(sum);
  }

  public Amounts<K> minus(Amounts<K> other) {
    TreeMap<K, Long> difference = new TreeMap<>(byKey);
    other.byKey.forEach((key, amount) -> difference.merge(key, subtract(0, amount), Amounts::add));
    return new Amounts<>(difference);
  }

  /** The larger amount of each key. */
  public Amounts<K> max(Amounts<K> other) {
    TreeMap<K, Long> larger = new TreeMap<>(byKey);
    other.byKey.forEach((key, amount) -> larger.merge(key, amount, Math::max));
    return new Amounts<>(larger);
  }

  public Amounts<K> times(long factor) {
    if (factor == 1) {
      return this;
    }
    TreeMap<K, Long> product = new TreeMap<>(byKey);
    product.replaceAll((key, amount) -> multiply(amount, factor));
    return new Amounts<>(product);
  }

  /** These amounts with one replaced. */
  public Amounts<K> with(K key, long amount) {
    TreeMap<K, Long> changed = new TreeMap<>(byKey);
    changed.put(key, amount);
    return new Amounts<>(changed);
  }

  /** Saturating sum. */
  public static long add(long a, long b) {
    long sum = a + b;
    boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
    return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  /** Saturating difference. */
  public static long subtract(long a, long b) {
    long difference = a - b;
    boolean overflow = ((a ^ b) & (a ^ difference)) < 0;
    return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : difference;
  }

  /** Saturating product. */
  public static long multiply(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    boolean overflow = !((high == 0 && low >= 0) || (high == -1 && low < 0));
    return overflow ? ((a < 0) == (b < 0) ? Long.MAX_VALUE : Long.MIN_VALUE) : low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Amounts<?> amounts && byKey.equals(amounts.byKey);
  }

  @Override
  public int hashCode() {
    return byKey.hashCode();
  }

  @Override
  public String toString() {
    return byKey.toString();
  }
}
