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
package io.github.kueue4j.e2e.observer;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who wrote which version, told by everybody in a test who writes by itself. What nobody claims was
 * written by the core, or by a check built with the SDK. Thread-safe.
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
