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
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.KubernetesApiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
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
 * Keeps the certificate that an HTTPS server shows. What can't be had yet, for example since the
 * API server is away or a Secret isn't mounted, is tried again; until then handshakes fail.
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
  private final ExecutorService keeper =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("kueue4j-certificates").daemon().factory());

  private volatile List<String> problems;
  private volatile boolean closed;

  /** Whether clients could once be told whom to trust. */
  private volatile boolean trusted;

  /** Open until the certificate was looked after once, with or without success. */
  private final CountDownLatch firstLook = new CountDownLatch(1);

  /** Guarded by this. */
  private @Nullable Cancellable timer;

  /**
   * Keeps nothing until it is started.
   *
   * @param server who shows it, for people
   * @param publication tells clients whom to trust, each time that the certificate was looked after
   * @param time what certificates go by: real time, as the other side checks it against its own
   */
  CertificateKeeper(
      String server,
      CertificateStore store,
      Consumer<ServingCertificates> publication,
      TimeSource time) {
    this.server = server;
    this.store = store;
    this.publication = publication;
    this.time = time;
    this.problems = List.of(server + ": not served yet");
  }

  /**
   * For /metrics of a core that shares no certificate with webhooks: of a folder if there is one,
   * else one that this process makes for itself and nobody can verify.
   *
   * @param folder would hold {@code tls.crt} and {@code tls.key}
   * @param hosts names that clients may use
   */
  public static CertificateKeeper forMetrics(Path folder, List<String> hosts, TimeSource time) {
    CertificateStore store =
        Files.isDirectory(folder)
            ? new CertificateDirectory(folder, "metrics")
            : new CertificateInMemory(hosts, new SecureRandom());
    return new CertificateKeeper("metrics", store, certificates -> {}, time);
  }

  /** What a server needs to show the certificate. */
  public SSLContext context() {
    return identity.context();
  }

  /** Begins to look after it. */
  public void start() {
    keeper.execute(this::keep);
  }

  /**
   * Waits until the certificate was looked after once, so that whoever asks next is answered; not
   * for longer than a call to the API server may take.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitFirstLook() throws InterruptedException {
    if (!firstLook.await(FIRST_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
      log.atWarn()
          .addKeyValue("server", server)
          .log("There is no certificate yet; going on without");
    }
  }

  /** Empty once there was a certificate that clients could be told to trust. */
  public List<String> problems() {
    return problems;
  }

  private void keep() {
    if (closed) {
      return;
    }
    Duration next = CHECK_EVERY;
    try {
      ServingCertificates certificates = store.at(time.instant());
      identity.show(certificates);
      publication.accept(certificates);
      trusted = true;
      problems = List.of();
    } catch (InvalidCertificateException | KubernetesApiException e) {
      next = RETRY_AFTER;
      complain(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      if (closed) {
        // Closing interrupts what is under way.
        log.atDebug().setCause(e).log("Interrupted while looking after the certificate");
        return;
      }
      next = RETRY_AFTER;
      log.atError()
          .setCause(e)
          .addKeyValue("server", server)
          .log("The certificate can't be looked after");
    }
    firstLook.countDown();
    next(next);
  }

  private synchronized void next(Duration pause) {
    if (!closed) {
      timer = time.at(time.instant().plus(pause), this::keepSoon);
    }
  }

  private void complain(String problem) {
    if (closed) {
      return;
    }
    if (!trusted) {
      problems = List.of(server + ": " + problem);
    }
    log.atWarn()
        .addKeyValue("server", server)
        .addKeyValue("problem", problem)
        .log("The certificate needs attention");
  }

  private synchronized void keepSoon() {
    if (!closed) {
      keeper.execute(this::keep);
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
