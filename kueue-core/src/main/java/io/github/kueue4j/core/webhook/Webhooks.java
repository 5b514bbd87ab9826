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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.admission.Reviewer;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the webhooks of one replica and keeps their certificate. What can't be had yet, for
 * example since the API server is away or a Secret isn't mounted, is tried again; until then the
 * replica isn't ready, as whoever asks it would get no answer.
 */
@API(status = API.Status.INTERNAL)
public final class Webhooks implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Webhooks.class);
  private static final Duration CHECK_EVERY = Duration.ofMinutes(1);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration FIRST_LOOK = Duration.ofSeconds(30);

  private final TlsIdentity identity;
  private final WebhookServer server;
  private final CertificateStore store;
  private final @Nullable TrustedAuthorities trust;
  private final TimeSource time;
  private final ExecutorService keeper =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("kueue4j-certificates").daemon().factory());

  private volatile List<String> problems = List.of("webhooks: not served yet");
  private volatile boolean closed;

  /** Whether the API server could once be told whom to trust. */
  private volatile boolean trusted;

  /** Open until the certificate was looked after once, with or without success. */
  private final CountDownLatch firstLook = new CountDownLatch(1);

  /** Guarded by this. */
  private @Nullable Cancellable timer;

  private Webhooks(
      TlsIdentity identity,
      WebhookServer server,
      CertificateStore store,
      @Nullable TrustedAuthorities trust,
      TimeSource time) {
    this.identity = identity;
    this.server = server;
    this.store = store;
    this.trust = trust;
    this.time = time;
  }

  /**
   * Webhooks that have their port but don't answer yet.
   *
   * @param api to keep the certificate and to say whom to trust
   * @param namespace of the service and the Secret
   * @param reviewers who answers about writes, by path
   * @param time what certificates go by: real time, as the other side checks it against its own
   * @throws io.github.kueue4j.runtime.HttpPortException if the port can't be had
   */
  public static Webhooks on(
      KubernetesApi api,
      WebhookSettings settings,
      String namespace,
      Map<String, Reviewer> reviewers,
      TimeSource time) {
    TlsIdentity identity = new TlsIdentity();
    WebhookServer server = WebhookServer.on(settings.address(), identity);
    server.route(ConversionReview.PATH, ConversionReview::answer);
    reviewers.forEach(
        (path, reviewer) -> server.route(path, review -> AdmissionReview.answer(review, reviewer)));
    String service = settings.serviceName();
    return settings.managesCertificates()
        ? new Webhooks(
            identity,
            server,
            new CertificateSecret(
                api,
                new ObjectKey(namespace, settings.secretName()),
                List.of(
                    service + "." + namespace + ".svc",
                    service + "." + namespace + ".svc.cluster.local",
                    service + "." + namespace,
                    // For port forwarding, and for webhooks that are registered by a URL.
                    "localhost"),
                new SecureRandom()),
            new TrustedAuthorities(api, new ObjectKey(namespace, service)),
            time)
        : new Webhooks(
            identity, server, new CertificateDirectory(settings.certificateFolder()), null, time);
  }

  /** Begins to answer, as soon as there is a certificate. */
  public void start() {
    server.start();
    keeper.execute(this::keep);
  }

  /**
   * Waits until the certificate was looked after once, so that whoever writes next is answered; not
   * for longer than a call to the API server may take.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitFirstLook() throws InterruptedException {
    if (!firstLook.await(FIRST_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
      log.atWarn().log("The webhooks have no certificate yet; going on without");
    }
  }

  /** The port that the server listens on. */
  public int port() {
    return server.port();
  }

  /** Empty if reviews are answered. */
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
      if (trust != null) {
        trust.enter(certificates);
      }
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
      log.atError().setCause(e).log("The certificate of the webhooks can't be kept");
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
      problems = List.of("webhooks: " + problem);
    }
    log.atWarn().addKeyValue("problem", problem).log("The webhooks' certificate needs attention");
  }

  private synchronized void keepSoon() {
    if (!closed) {
      keeper.execute(this::keep);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (timer != null) {
        timer.cancel();
      }
      keeper.shutdownNow();
    }
    server.close();
  }
}
