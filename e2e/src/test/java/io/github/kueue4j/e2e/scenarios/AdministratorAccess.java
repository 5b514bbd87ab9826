// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.scenarios;

import io.kubernetes.client.util.SSLUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The access of a client without any library, from a kubeconfig with one cluster and one user.
 *
 * @param client trusts the cluster and shows the user's certificate, if there is one
 * @param headers to send with every request
 */
public record AdministratorAccess(URI server, HttpClient client, Map<String, String> headers)
    implements AutoCloseable {

  public static AdministratorAccess of(Path kubeconfig)
      throws IOException, GeneralSecurityException {
    Map<?, ?> config =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(kubeconfig));
    Map<?, ?> cluster = only(config, "clusters", "cluster");
    Map<?, ?> user = only(config, "users", "user");
    URI server = URI.create(String.valueOf(cluster.get("server")));
    HttpClient.Builder client = HttpClient.newBuilder();
    if (server.getScheme().equals("https")) {
      client.sslContext(tls(cluster, user));
    }
    Object token = user.get("token");
    return new AdministratorAccess(
        server,
        client.build(),
        token == null ? Map.of() : Map.of("Authorization", "Bearer " + token));
  }

  @Override
  public void close() {
    client.close();
  }

  private static Map<?, ?> only(Map<?, ?> config, String list, String part) {
    List<?> entries = (List<?>) config.get(list);
    if (entries == null || entries.size() != 1) {
      throw new IllegalArgumentException("the kubeconfig must have exactly one entry in " + list);
    }
    return (Map<?, ?>) ((Map<?, ?>) entries.getFirst()).get(part);
  }

  private static SSLContext tls(Map<?, ?> cluster, Map<?, ?> user)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    int index = 0;
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(decoded(cluster, "certificate-authority-data")))) {
      trusted.setCertificateEntry("authority-" + index++, each);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    KeyManager @Nullable [] keys =
        user.get("client-certificate-data") == null
            ? null
            : SSLUtils.keyManagers(
                decoded(user, "client-certificate-data"),
                decoded(user, "client-key-data"),
                "",
                "",
                null,
                null);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys, trust.getTrustManagers(), null);
    return tls;
  }

  private static byte[] decoded(Map<?, ?> part, String field) {
    return Base64.getDecoder().decode(String.valueOf(part.get(field)));
  }
}
