// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Something worked out from the objects of some kinds, which rarely change: worked out anew when it
 * is asked for after a change. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class Derived<T> {
  private record Known<T>(long change, T value) {}

  private final Supplier<T> compute;
  private final AtomicLong changes = new AtomicLong();
  private volatile @Nullable Known<T> known;

  /**
   * Nothing is worked out yet.
   *
   * @param kinds storage names of the kinds that it depends on
   */
  public Derived(ObjectStore store, Predicate<String> kinds, Supplier<T> compute) {
    this.compute = compute;
    store.observe(
        (kind, change) -> {
          if (kinds.test(kind.name())) {
            changes.incrementAndGet();
          }
        });
  }

  public T get() {
    Known<T> current = known;
    long now = changes.get();
    if (current != null && current.change() == now) {
      return current.value();
    }
    // A change meanwhile makes the value old at once, which the number shows.
    T value = compute.get();
    known = new Known<>(now, value);
    return value;
  }
}
