// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.net.URI;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The HTTPS listener, on which clients authenticate by a token. */
@API(status = API.Status.INTERNAL)
public final class SecurePort {
  /** The roles that let every user read what is public on a real server. */
  static final String DEFAULT_ROLES =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: "system:discovery"}
      rules:
      - nonResourceURLs: [/api, /api/*, /apis, /apis/*, /healthz, /livez, /openapi, /openapi/*, /readyz, /version, /version/]
        verbs: [get]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: "system:discovery"}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:discovery"}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: "system:basic-user"}
      rules:
      - apiGroups: [authorization.k8s.io]
        resources: [selfsubjectaccessreviews, selfsubjectrulesreviews]
        verbs: [create]
      - apiGroups: [authentication.k8s.io]
        resources: [selfsubjectreviews]
        verbs: [create]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: "system:basic-user"}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:basic-user"}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: "system:public-info-viewer"}
      rules:
      - nonResourceURLs: [/healthz, /livez, /readyz, /version, /version/]
        verbs: [get]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: "system:public-info-viewer"}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:public-info-viewer"}
      subjects:
      - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}
      - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:unauthenticated"}
      """;

  private final ServerConnector connector;
  private final String authority;

  private SecurePort(ServerConnector connector, String authority) {
    this.connector = connector;
    this.authority = authority;
  }

  /** Adds the listener to a server that hasn't started; any free port. */
  static SecurePort of(Server jetty, RandomGenerator random) {
    ServerCertificate certificate = ServerCertificate.generate(random);
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStore(certificate.keyStore());
    tls.setKeyStorePassword(ServerCertificate.password());
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    // Names are checked by clients; an address of loopback is none that SNI knows.
    http.addCustomizer(new SecureRequestCustomizer(false));
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    ServerConnector connector =
        new ServerConnector(jetty, 1, 1, new SslConnectionFactory(tls, plain.getProtocol()), plain);
    connector.setHost("127.0.0.1");
    connector.setIdleTimeout(Duration.ofHours(1).toMillis());
    jetty.addConnector(connector);
    return new SecurePort(connector, certificate.pem());
  }

  public URI uri() {
    return URI.create("https://127.0.0.1:" + connector.getLocalPort());
  }

  /** The certificate to trust, as PEM text. */
  public String authority() {
    return authority;
  }
}
