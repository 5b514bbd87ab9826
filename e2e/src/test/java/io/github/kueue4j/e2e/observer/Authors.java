// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The authors of the versions of objects, as reported by each actor of a test that writes by
 * itself. A version without a reported author was written by the core, or by a check built with the
 * SDK. Thread-safe.
 */
public final class Authors {
  private final Map<Long, Writing> writings = new ConcurrentHashMap<>();

  /**
   * One write.
   *
   * @param author for messages
   * @param check whether a check wrote it: what it changed in entries is its word
   * @param sentAfter an instant before the write, by the run's clock
   */
  public record Writing(String author, boolean check, Instant sentAfter) {}

  /** A check has written this version; {@code sentAfter} was read before it sent anything. */
  public void check(String author, String version, Instant sentAfter) {
    writings.put(Long.valueOf(version), new Writing(author, true, sentAfter));
  }

  /** A user, or the controller of the owner, has written this version. */
  public void user(String author, String version, Instant sentAfter) {
    writings.put(Long.valueOf(version), new Writing(author, false, sentAfter));
  }

  Optional<Writing> of(Frame frame) {
    return Optional.ofNullable(writings.get(frame.version()));
  }
}
