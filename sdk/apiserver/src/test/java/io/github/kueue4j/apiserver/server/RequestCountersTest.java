// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.traffic.RequestCounters;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
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

    // The count follows the answer by an instant.
    Patient.await().until(() -> counters.total() == 3);
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
}
