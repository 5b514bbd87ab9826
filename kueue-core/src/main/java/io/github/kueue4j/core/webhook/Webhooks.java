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
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.admission.Reviewer;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.TlsOptions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Serves the webhooks of one replica. Until there is a certificate that the API server can be told
 * to trust, the replica isn't ready, as whoever asks it would get no answer.
 */
@API(status = API.Status.INTERNAL)
public final class Webhooks implements AutoCloseable {
  /** What the Service of /metrics is called by default; one certificate serves both. */
  public static final String METRICS_SERVICE = "kueue-controller-manager-metrics-service";

  private static final String SERVER = "webhooks";

  private final CertificateKeeper certificates;
  private final WebhookServer server;

  private Webhooks(CertificateKeeper certificates, WebhookServer server) {
    this.certificates = certificates;
    this.server = server;
  }

  /**
   * Webhooks that have their port but don't answer yet.
   *
   * @param api to keep the certificate and to say whom to trust
   * @param namespace of the service and the Secret
   * @param reviewers who answers about writes, by path
   * @param tls what is agreed to in handshakes
   * @param time what certificates go by: real time, as the other side checks it against its own
   * @throws io.github.kueue4j.runtime.HttpPortException if the port can't be had
   */
  public static Webhooks on(
      KubernetesApi api,
      WebhookSettings settings,
      String namespace,
      Map<String, Reviewer> reviewers,
      TlsOptions tls,
      TimeSource time) {
    CertificateKeeper certificates =
        settings.managesCertificates()
            ? managed(api, settings, namespace, time)
            : new CertificateKeeper(
                SERVER,
                new CertificateDirectory(settings.certificateFolder(), "webhook.certDir"),
                mounted -> {},
                time);
    WebhookServer server =
        WebhookServer.on(settings.address(), tls.configurator(certificates.context()));
    server.route(ConversionReview.PATH, ConversionReview::answer);
    reviewers.forEach(
        (path, reviewer) -> server.route(path, review -> AdmissionReview.answer(review, reviewer)));
    return new Webhooks(certificates, server);
  }

  private static CertificateKeeper managed(
      KubernetesApi api, WebhookSettings settings, String namespace, TimeSource time) {
    ObjectKey service = new ObjectKey(namespace, settings.serviceName());
    List<String> hosts = new ArrayList<>(hosts(service));
    hosts.addAll(hosts(new ObjectKey(namespace, metricsService(settings.serviceName()))));
    // For port forwarding, and for webhooks that are registered by a URL.
    hosts.add("localhost");
    return new CertificateKeeper(
        SERVER,
        new CertificateSecret(
            api, new ObjectKey(namespace, settings.secretName()), hosts, new SecureRandom()),
        new TrustedAuthorities(api, service)::enter,
        time);
  }

  /** The chart names both Services after its release. */
  private static String metricsService(String webhookService) {
    String ending = "-webhook-service";
    return webhookService.endsWith(ending)
        ? webhookService.substring(0, webhookService.length() - ending.length())
            + "-controller-manager-metrics-service"
        : METRICS_SERVICE;
  }

  /** The names under which a Service is reached. */
  public static List<String> hosts(ObjectKey service) {
    String name = service.name() + "." + service.namespace();
    return List.of(name + ".svc", name + ".svc.cluster.local", name);
  }

  /** Begins to answer, as soon as there is a certificate. */
  public void start() {
    server.start();
    certificates.start();
  }

  /**
   * Waits until the certificate was looked after once.
   *
   * @throws InterruptedException if the thread is interrupted
   * @see CertificateKeeper#awaitFirstLook
   */
  public void awaitFirstLook() throws InterruptedException {
    certificates.awaitFirstLook();
  }

  /** The certificate, for another server of this replica. */
  public CertificateKeeper certificates() {
    return certificates;
  }

  /** The port that the server listens on. */
  public int port() {
    return server.port();
  }

  /** Empty if reviews are answered. */
  public List<String> problems() {
    return certificates.problems();
  }

  @Override
  public void close() {
    certificates.close();
    server.close();
  }
}
