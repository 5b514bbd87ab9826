// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.tls;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.apiguardian.api.API;

/**
 * The TLS options of a server, in Java's standard names. An empty list stands for Java's default.
 *
 * @param protocols such as {@code TLSv1.3}
 * @param cipherSuites such as {@code TLS_AES_128_GCM_SHA256}, for all protocols together
 * @param namedGroups of the key exchange, the preferred one first, such as {@code x25519}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TlsOptions(
    List<String> protocols, List<String> cipherSuites, List<String> namedGroups) {
  public TlsOptions {
    protocols = List.copyOf(protocols);
    cipherSuites = List.copyOf(cipherSuites);
    namedGroups = List.copyOf(namedGroups);
  }

  /** Java's defaults. */
  public static TlsOptions defaults() {
    return new TlsOptions(List.of(), List.of(), List.of());
  }

  /** A configurator of an HTTPS server with these options. */
  public HttpsConfigurator configurator(SSLContext context) {
    SSLParameters parameters = context.getDefaultSSLParameters();
    if (!protocols.isEmpty()) {
      parameters.setProtocols(protocols.toArray(String[]::new));
    }
    if (!cipherSuites.isEmpty()) {
      parameters.setCipherSuites(cipherSuites.toArray(String[]::new));
    }
    if (!namedGroups.isEmpty()) {
      parameters.setNamedGroups(namedGroups.toArray(String[]::new));
    }
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters handshake) {
        handshake.setSSLParameters(parameters);
      }
    };
  }
}
