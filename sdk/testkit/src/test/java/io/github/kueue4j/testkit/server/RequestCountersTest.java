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
package io.github.kueue4j.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testkit.traffic.RequestCounters;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
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
    assertThat(counters.byUserAgent()).containsEntry("testkit-test/1", 3L);
    assertThat(api.get("/metrics").body().asText())
        .contains(
            "apiserver_request_total{code=\"404\",component=\"apiserver\",dry_run=\"\",group=\"\","
                + "resource=\"configmaps\",scope=\"resource\",subresource=\"\",verb=\"GET\","
                + "version=\"v1\"} 1");
    counters.reset();
    assertThat(counters.total()).isZero();
  }
}
