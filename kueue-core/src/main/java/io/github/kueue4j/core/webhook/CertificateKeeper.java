// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.tls.InvalidCertificateException;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import io.github.kueue4j.runtime.tls.TlsIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Obtains and renews the certificate of an HTTPS server. If it isn't available yet, for example
 * because the API server is down or a Secret isn't mounted, the keeper retries; until then
 * handshakes fail.
 */
@API(status = API.Status.INTERNAL)
public final class CertificateKeeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CertificateKeeper.class);
  private static final Duration CHECK_EVERY = Duration.ofMinutes(1);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration FIRST_LOOK = Duration.ofSeconds(30);

  private final String server;
  private final TlsIdentity identity = new TlsIdentity();
  private final CertificateStore store;
  private final Consumer<ServingCertificates> publication;
  private final TimeSource time;
  private final InstantSource wallClock;
  private final ExecutorService keeper;

  private volatile List<String> problems;
  private volatile boolean closed;

  /** Whether the certificate authority has been published once. */
  private volatile boolean trusted;

  /** Open until the first attempt to obtain the certificate has ended, successful or not. */
  private final CountDownLatch firstLook = new CountDownLatch(1);

  /** Guarded by this. */
  private @Nullable Cancellable timer;

  /**
   * A keeper that is not started.
   *
   * @param server name of the server, for messages
   * @param publication publishes the certificate authority to clients; called after each check of
   *     the certificate
   * @param connection whose wall clock says which certificate is valid, because clients check that
   *     against their own clocks, and whose wire time says when to look again
   */
  CertificateKeeper(
      String server,
      CertificateStore store,
      Consumer<ServingCertificates> publication,
      ClusterConnection connection) {
    this.server = server;
    this.store = store;
    this.publication = publication;
    this.time = connection.wireTime();
    this.wallClock = connection.wallClock();
    this.problems = List.of(server + ": not served yet");
    this.keeper =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform()
                .name("kueue4j-certificates")
                .daemon()
                .uncaughtExceptionHandler(connection.fatalErrors())
                .factory());
  }

  /**
   * A keeper for /metrics of a core without webhooks: with the files of a folder if that exists,
   * otherwise with a self-signed certificate that clients can't verify.
   *
   * @param folder with {@code tls.crt} and {@code tls.key}, if it exists
   * @param hosts names that clients may use
   */
  public static CertificateKeeper forMetrics(
      Optional<Path> folder, List<String> hosts, ClusterConnection connection) {
    CertificateStore store =
        folder
            .filter(Files::isDirectory)
            .<CertificateStore>map(mounted -> new CertificateDirectory(mounted, "metrics"))
            .orElseGet(() -> new CertificateInMemory(hosts, new SecureRandom()));
    return new CertificateKeeper("metrics", store, certificates -> {}, connection);
  }

  /** The TLS context of a server with this certificate. */
  public SSLContext context() {
    return identity.context();
  }

  /** Starts to obtain and renew the certificate. */
  public void start() {
    keeper.execute(this::obtainAndPublish);
  }

  /**
   * Waits until the first attempt to obtain the certificate has ended, so that clients can connect
   * afterwards; at most as long as a call to the API server may take.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitFirstAttempt() throws InterruptedException {
    if (!firstLook.await(FIRST_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
      log.atWarn().addKeyValue("server", server).log("No certificate yet, starting without it");
    }
  }

  /** Empty once a certificate was obtained and its authority published. */
  public List<String> problems() {
    return problems;
  }

  private void obtainAndPublish() {
    if (closed) {
      return;
    }
    Duration next = CHECK_EVERY;
    try {
      ServingCertificates certificates = store.at(wallClock.instant());
      identity.show(certificates);
      publication.accept(certificates);
      trusted = true;
      problems = List.of();
    } catch (InvalidCertificateException | KubernetesApiException e) {
      next = RETRY_AFTER;
      reportProblem(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      if (closed) {
        // close() interrupts a running attempt.
        log.atDebug().setCause(e).log("Interrupted while obtaining the certificate");
        return;
      }
      next = RETRY_AFTER;
      log.atError()
          .setCause(e)
          .addKeyValue("server", server)
          .log("Unexpected error while obtaining the certificate");
    }
    firstLook.countDown();
    next(next);
  }

  private synchronized void next(Duration pause) {
    if (!closed) {
      timer = time.after(pause, this::enqueueAttempt);
    }
  }

  private void reportProblem(String problem) {
    if (closed) {
      return;
    }
    if (!trusted) {
      problems = List.of(server + ": " + problem);
    }
    log.atWarn()
        .addKeyValue("server", server)
        .addKeyValue("problem", problem)
        .log("No valid certificate");
  }

  private synchronized void enqueueAttempt() {
    if (!closed) {
      keeper.execute(this::obtainAndPublish);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    keeper.shutdownNow();
  }
}
