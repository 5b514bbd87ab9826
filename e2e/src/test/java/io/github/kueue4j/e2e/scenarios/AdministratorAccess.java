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
 * How a client without any library gets in: what a kubeconfig with one cluster and one user says.
 *
 * @param client trusts the cluster and shows the user's certificate, if there is one
 * @param headers to send with every request
 */
public record AdministratorAccess(URI server, HttpClient client, Map<String, String> headers) {

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
