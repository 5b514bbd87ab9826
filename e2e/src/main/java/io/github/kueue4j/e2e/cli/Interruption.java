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
package io.github.kueue4j.e2e.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C (or a polite kill), as an event that a command can await. The JVM waits with its end until
 * the command has tidied up and closed this, but not for ever.
 */
final class Interruption implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch tidied = new CountDownLatch(1);
  private final Thread hook = new Thread(this::onShutdown, "interruption");

  private volatile @Nullable String reason;

  private Interruption() {}

  /** Listens from now on. */
  static Interruption listen() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void onShutdown() {
    asked.countDown();
    try {
      if (!tidied.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        System.err.println("kueue4j: gave up waiting for an orderly end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the command to end by itself, for example since another replica leads now. */
  void ask(String why) {
    reason = why;
    asked.countDown();
  }

  /** Waits for Ctrl-C or {@link #ask}; returns the reason if it was the latter. */
  Optional<String> await() throws InterruptedException {
    asked.await();
    return Optional.ofNullable(reason);
  }

  /** Waits for Ctrl-C, at most for the given real time; returns whether it came. */
  boolean await(Duration limit) throws InterruptedException {
    return asked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    tidied.countDown();
  }
}
