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
package io.github.kueue4j.runtime;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.apiguardian.api.API;

/**
 * What a server of ours agrees to in a TLS handshake, in Java's standard names. An empty list
 * leaves that part to Java.
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

  /** All as Java has it. */
  public static TlsOptions defaults() {
    return new TlsOptions(List.of(), List.of(), List.of());
  }

  /** What an HTTPS server is given that speaks TLS so. */
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
