// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The authors of the versions of objects, as reported by each actor of a test that writes by
 * itself. A version without a reported author was written by the core, or by a check built with the
 * SDK. Thread-safe.
 */
public final class Authors {
  private final Map<Long, Writing> writings = new ConcurrentHashMap<>();

  /** Held by each author (all share it) from the write until its report. */
  private final ReadWriteLock underWay = new ReentrantReadWriteLock();

  /**
   * One write.
   *
   * @param author for messages
   * @param check whether a check wrote it: what it changed in entries is its word
   * @param sentAfter an instant before the write, by the run's clock
   */
  public record Writing(String author, boolean check, Instant sentAfter) {}

  /**
   * A check writes a Workload.
   *
   * @param sentAfter read before anything is sent
   */
  public void check(String author, Instant sentAfter, Supplier<Workload> write) {
    reported(new Writing(author, true, sentAfter), write);
  }

  /**
   * A user, or the controller of the owner, writes a Workload.
   *
   * @param sentAfter read before anything is sent
   */
  public void user(String author, Instant sentAfter, Supplier<Workload> write) {
    reported(new Writing(author, false, sentAfter), write);
  }

  private void reported(Writing writing, Supplier<Workload> write) {
    underWay.readLock().lock();
    try {
      report(
          Long.parseLong(Objects.requireNonNull(write.get().metadata().getResourceVersion())),
          writing);
    } finally {
      underWay.readLock().unlock();
    }
  }

  void report(long version, Writing writing) {
    writings.put(version, writing);
  }

  /**
   * Waits until the author of every version that the server has by now is reported: others see a
   * version before its author has the server's answer.
   */
  @SuppressWarnings("LockNotBeforeTry") // Nothing is done that could fail.
  void awaitReports() {
    underWay.writeLock().lock();
    underWay.writeLock().unlock();
  }

  Optional<Writing> of(Frame frame) {
    return Optional.ofNullable(writings.get(frame.version()));
  }
}
