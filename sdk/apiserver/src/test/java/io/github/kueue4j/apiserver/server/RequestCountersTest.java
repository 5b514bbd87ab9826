// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.http.DirectRequest;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests are counted for Java and for Prometheus alike. */
class RequestCountersTest {
  @RegisterExtension static final TestServer api = new TestServer();

  @Test
  void countsByVerbCodeAndClient() {
    RequestCounters counters = api.server().requests();
    api.configMap("counted", "");
    api.get("/api/v1/namespaces/default/configmaps/counted");
    api.get("/api/v1/namespaces/default/configmaps/uncounted");
    api.get("/apis");

    assertThat(counters.total()).isEqualTo(3);
    assertThat(counters.count(RequestMatcher.verbs("get"))).isEqualTo(2);
    assertThat(counters.count(RequestMatcher.verbs("get"), 404)).isEqualTo(1);
    assertThat(counters.count(RequestMatcher.writes())).isEqualTo(1);
    assertThat(counters.byUserAgent()).containsEntry("apiserver-test/1", 3L);
    assertThat(api.get("/metrics").body().asText())
        .contains(
            "apiserver_request_total{code=\"404\",component=\"apiserver\",dry_run=\"\",group=\"\","
                + "resource=\"configmaps\",scope=\"resource\",subresource=\"\",verb=\"GET\","
                + "version=\"v1\"} 1");
    counters.reset();
    assertThat(counters.total()).isZero();
  }

  @Test
  void whoeverHasAnAnswerFindsItCounted() throws Exception {
    RequestMatcher matcher = RequestMatcher.resource("configmaps");
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      List<Long> counted = new ArrayList<>();
      DirectRequest.Answer answer =
          new DirectRequest.Answer() {
            @Override
            public void begin(int status, Map<String, List<String>> headers) {
              counted.add(server.requests().count(matcher, status));
            }

            @Override
            public void piece(byte[] bytes) {
              counted.add(server.requests().count(matcher));
            }

            @Override
            public void end(@Nullable Throwable broken) {
              counted.add(server.requests().count(matcher));
            }
          };

      server.answer(
          new DirectRequest(
              "GET",
              "/api/v1/namespaces/default/configmaps/absent",
              null,
              Map.of(),
              InputStream.nullInputStream(),
              answer));

      assertThat(counted).as("at the begin, with the body, at the end").containsExactly(1L, 1L, 1L);
    }
  }
}
