// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.admission.Reviewer;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.tls.TlsOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Serves the webhooks of one replica. The replica isn't ready until its certificate authority is
 * published to the API server, because connections would fail.
 */
@API(status = API.Status.INTERNAL)
public final class Webhooks implements AutoCloseable {
  /** The default name of the Service of /metrics, which shares the certificate. */
  public static final String METRICS_SERVICE = "kueue-controller-manager-metrics-service";

  /** The Service of the view, unless the webhooks' Service has another prefix. */
  public static final String VIEW_SERVICE = "kueue-view-service";

  private static final String SERVER = "webhooks";

  private final CertificateKeeper certificates;
  private final WebhookServer server;

  private Webhooks(CertificateKeeper certificates, WebhookServer server) {
    this.certificates = certificates;
    this.server = server;
  }

  /**
   * Webhooks that have bound their port but don't answer yet.
   *
   * @param connection to store the certificate and to publish its authority; followers do that,
   *     too, so that it must not be guarded by a lease
   * @param namespace of the service and the Secret
   * @param reviewers of writes, by path
   * @param tls the options for handshakes
   * @param meters where latencies are recorded
   * @throws io.github.kueue4j.runtime.http.HttpPortException if the port can't be bound
   */
  public static Webhooks on(
      ClusterConnection connection,
      WebhookSettings settings,
      String namespace,
      Map<String, Reviewer> reviewers,
      TlsOptions tls,
      MeterRegistry meters) {
    CertificateKeeper certificates =
        settings.managesCertificates()
            ? managed(connection, settings, namespace)
            : new CertificateKeeper(
                SERVER,
                new CertificateDirectory(settings.certificateFolder(), "webhook.certDir"),
                mounted -> {},
                connection);
    WebhookServer server =
        WebhookServer.on(
            settings.address(),
            tls.configurator(certificates.context()),
            connection.wireTime(),
            connection.fatalErrors(),
            new WebhookMeters(meters));
    server.route(ConversionReview.PATH, ConversionReview::answer);
    reviewers.forEach(
        (path, reviewer) -> server.route(path, review -> AdmissionReview.answer(review, reviewer)));
    return new Webhooks(certificates, server);
  }

  private static CertificateKeeper managed(
      ClusterConnection connection, WebhookSettings settings, String namespace) {
    KubernetesApi api = connection.api();
    ObjectKey service = new ObjectKey(namespace, settings.serviceName());
    List<String> hosts = new ArrayList<>(hosts(service));
    for (String beside : List.of(METRICS_SERVICE, VIEW_SERVICE)) {
      hosts.addAll(hosts(new ObjectKey(namespace, serviceBeside(settings.serviceName(), beside))));
    }
    // For port forwarding, and for webhooks that are registered by a URL.
    hosts.add("localhost");
    return new CertificateKeeper(
        SERVER,
        new CertificateSecret(
            api, new ObjectKey(namespace, settings.secretName()), hosts, new SecureRandom()),
        new TrustedAuthorities(api, service)::publish,
        connection);
  }

  /** The name of another Service of the core: the chart derives all from its release. */
  private static String serviceBeside(String webhookService, String usual) {
    String ending = "-webhook-service";
    return webhookService.endsWith(ending)
        ? webhookService.substring(0, webhookService.length() - ending.length())
            + usual.substring("kueue".length())
        : usual;
  }

  /** The DNS names of a Service. */
  public static List<String> hosts(ObjectKey service) {
    String name = service.name() + "." + service.namespace();
    return List.of(name + ".svc", name + ".svc.cluster.local", name);
  }

  /** Starts to answer, as soon as there is a certificate. */
  public void start() {
    server.start();
    certificates.start();
  }

  /**
   * Waits until the first attempt to obtain the certificate has ended.
   *
   * @throws InterruptedException if the thread is interrupted
   * @see CertificateKeeper#awaitFirstAttempt
   */
  public void awaitFirstLook() throws InterruptedException {
    certificates.awaitFirstAttempt();
  }

  /** The certificate, for another server of this replica. */
  public CertificateKeeper certificates() {
    return certificates;
  }

  /** The port that the server listens on. */
  public int port() {
    return server.port();
  }

  /** Why reviews aren't answered; empty if they are. */
  public List<String> problems() {
    return certificates.problems();
  }

  /**
   * Answers for some time more, and has clients connect anew, before {@link #close}.
   *
   * @param length in wire time
   * @throws InterruptedException if the thread is interrupted
   */
  public void drain(Duration length) throws InterruptedException {
    server.drain(length);
  }

  @Override
  public void close() {
    certificates.close();
    server.close();
  }
}
