// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.runtime.OrderlyExit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C (or SIGTERM), as an event that a command can await. The exit of the JVM waits until the
 * command has cleaned up and closed this, up to a limit.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Interruption implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch tidied = new CountDownLatch(1);
  private final Thread hook = new Thread(this::onShutdown, "interruption");

  private @Nullable OrderlyExit exit;
  private volatile @Nullable String reason;

  private Interruption() {}

  /**
   * The same for a command that serves until it is told to end: that is how it succeeds, so that
   * its exit status after SIGTERM is 0.
   */
  static Interruption ofAServer() {
    Interruption interruption = listen();
    interruption.exit = OrderlyExit.onSigterm();
    return interruption;
  }

  /** Listens from now on. */
  public static Interruption listen() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void onShutdown() {
    asked.countDown();
    try {
      if (!tidied.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        System.err.println("kueue4j: gave up waiting for an orderly end");
        OrderlyExit.giveUp();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the command to end by itself, for example since another replica leads now. */
  public void ask(String why) {
    reason = why;
    asked.countDown();
  }

  /** Waits for Ctrl-C or {@link #ask}; returns the reason if it was the latter. */
  public Optional<String> await() throws InterruptedException {
    asked.await();
    return Optional.ofNullable(reason);
  }

  /** Waits for Ctrl-C, at most for the given real time; returns whether it came. */
  public boolean await(Duration limit) throws InterruptedException {
    return asked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    tidied.countDown();
    OrderlyExit listening = exit;
    if (listening != null) {
      listening.close();
    }
  }
}
