// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** No proxy stands between the controller and the address that it judges. */
@Isolated("sets system properties")
class ProxyTest {
  private static final List<String> PROPERTIES =
      List.of(
          "http.proxyHost",
          "http.proxyPort",
          "http.nonProxyHosts",
          "socksProxyHost",
          "socksProxyPort",
          "socksNonProxyHosts");

  private RawServer proxy;

  @BeforeEach
  void start() throws Exception {
    proxy = RawServer.saying("HTTP/1.1 200 OK\nContent-Length: 5\n\nproxy");
  }

  @AfterEach
  void stop() throws Exception {
    PROPERTIES.forEach(System::clearProperty);
    proxy.close();
  }

  @Test
  void theEnvironmentsProxiesAreNotUsed() throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 200 OK\nContent-Length: 6\n\nserver");
        HttpBackends backends =
            HttpBackends.of(
                SecretTexts.none(),
                AddressRules.defaults().allowing(AddressRange.parse("127.0.0.1")))) {
      String port = Integer.toString(proxy.port());
      Map.of(
              "http.proxyHost", "127.0.0.1",
              "http.proxyPort", port,
              "http.nonProxyHosts", "",
              "socksProxyHost", "127.0.0.1",
              "socksProxyPort", port,
              "socksNonProxyHosts", "")
          .forEach(System::setProperty);
      URI uri = server.uri();

      HttpAnswer answer = backends.at(HttpEndpoint.of(uri)).send(HttpCall.get());

      assertThat(answer.body()).isEqualTo("server");
      assertThat(proxy.requests()).isEmpty();
    }
  }
}
