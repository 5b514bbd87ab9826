// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import java.time.Duration;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of this process by SIGTERM or SIGINT (Ctrl-C), in order: the JVM waits until what runs
 * has been closed, at most for {@link #LIMIT}. Its exit status is 0 after SIGTERM, 143 if that
 * limit wasn't enough, and 130 after SIGINT.
 *
 * <p>Without it the JVM ends at once: reconciles are cut off, and a Lease is held until it expires.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Termination implements AutoCloseable {

  /** Less than the 30 s after which a pod is killed by default. */
  public static final Duration LIMIT = Duration.ofSeconds(28);

  private static final Logger log = LoggerFactory.getLogger(Termination.class);

  private final Runnable close;
  private final FatalErrors fatalErrors;
  private final Thread hook = new Thread(this::onShutdown, "kueue4j-termination");

  private final OrderlyExit exit = OrderlyExit.onSigterm();
  private volatile boolean asked;

  private Termination(Runnable close, FatalErrors fatalErrors) {
    this.close = close;
    this.fatalErrors = fatalErrors;
  }

  /**
   * Listens from now on.
   *
   * @param close ends what runs; called at most once, on a thread of its own
   * @param fatalErrors what happens after an Error of {@code close}
   * @throws IllegalStateException if the JVM is already ending
   */
  public static Termination listen(Runnable close, FatalErrors fatalErrors) {
    Termination termination = new Termination(close, fatalErrors);
    Runtime.getRuntime().addShutdownHook(termination.hook);
    return termination;
  }

  /** Whether the process has been asked to end. */
  public boolean asked() {
    return asked;
  }

  private void onShutdown() {
    asked = true;
    log.atInfo().log("The process was asked to end; stopping");
    Thread closing =
        Thread.ofPlatform()
            .daemon()
            .name("kueue4j-closing")
            .uncaughtExceptionHandler(fatalErrors)
            .start(close);
    try {
      if (!closing.join(LIMIT)) {
        log.atWarn()
            .addKeyValue("limit", LIMIT)
            .log("Gave up waiting for an orderly end; a held Lease expires by itself");
        OrderlyExit.giveUp();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Listens no longer. Does nothing once the process has been asked to end. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      exit.close();
    } catch (IllegalStateException ending) {
      log.atTrace().setCause(ending).log("The JVM is ending already");
    }
  }
}
