// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.ScriptedServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long the API server takes, by what it was asked for. */
class RequestMetersTest {

  private static final String WORKLOADS = "workloads.kueue.x-k8s.io";

  private final MeterRegistry meters = new SimpleMeterRegistry();

  @ParameterizedTest
  @CsvSource({
    "GET,    /apis/kueue.x-k8s.io/v1beta2/namespaces/a/workloads/w,        get,    " + WORKLOADS,
    "GET,    /apis/kueue.x-k8s.io/v1beta2/namespaces/a/workloads,          list,   " + WORKLOADS,
    "GET,    /apis/kueue.x-k8s.io/v1beta2/workloads,                       list,   " + WORKLOADS,
    "POST,   /apis/kueue.x-k8s.io/v1beta2/namespaces/a/workloads,          create, " + WORKLOADS,
    "PATCH,  /apis/kueue.x-k8s.io/v1beta2/namespaces/a/workloads/w/status, patch,  " + WORKLOADS,
    "DELETE, /api/v1/namespaces/a/pods/p,                                  delete, pods",
    "PUT,    /apis/coordination.k8s.io/v1/namespaces/a/leases/l, update, leases.coordination.k8s.io",
    "GET,    /api/v1/namespaces/a,                                         get,    namespaces",
    "GET,    /api/v1/namespaces,                                           list,   namespaces",
    "GET,    /version,                                                     get,    discovery",
    "GET,    /apis/batch/v1,                                               get,    discovery",
  })
  void labelsSayWhatIsDoneToWhichKind(String method, String path, String verb, String resource) {
    for (String server : new String[] {"https://host:6443", "https://host/k8s/clusters/c-1"}) {
      Request request =
          new Request.Builder()
              .url(server + path)
              .method(method, method.startsWith("P") ? RequestBody.create(new byte[0]) : null)
              .build();

      assertThat(
              RequestMeters.RequestLabels.of(
                  Objects.requireNonNull(HttpUrl.parse(server)), request))
          .isEqualTo(new RequestMeters.RequestLabels(verb, resource));
    }
  }

  @Test
  void eachCallCountsByTheClassOfItsAnswerAndNoObjectMakesASeries() throws Exception {
    try (var server =
            new ScriptedServer(
                (request, answer) -> {
                  if (request.path().endsWith("/absent")) {
                    answer.status(404, "NotFound", "absent");
                  } else {
                    answer.json(200, "{\"metadata\":{\"name\":\"any\",\"namespace\":\"a\"}}");
                  }
                });
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      Runnable end = connection.measureRequests(meters);
      for (int i = 0; i < 20; i++) {
        var unused = connection.api().get(KueueTypes.WORKLOAD, new ObjectKey("a", "w" + i));
      }
      KubernetesApi limited = connection.limited(1_000, 10).api();
      assertThatThrownBy(() -> limited.get(CoreTypes.POD, new ObjectKey("a", "absent")))
          .isInstanceOf(KubernetesApiException.NotFound.class);
      end.run();
      var unused = connection.api().get(KueueTypes.WORKLOAD, new ObjectKey("a", "later"));

      assertThat(counts()).isEqualTo(Map.of("get " + WORKLOADS + " 2xx", 20L, "get pods 4xx", 1L));
    }
  }

  @Test
  void aCallWithoutAnAnswerCountsToo() {
    try (var connection =
        ClusterConnection.builder("test").url(URI.create("http://127.0.0.1:1")).open()) {
      connection.measureRequests(meters);

      assertThatThrownBy(() -> connection.api().serverVersion())
          .isInstanceOf(KubernetesApiException.Unreachable.class);

      assertThat(counts()).isEqualTo(Map.of("get discovery none", 1L));
    }
  }

  @Test
  void twoHostsOnOneRegistryCountACallOnce() throws Exception {
    try (var server = new ScriptedServer((request, answer) -> answer.json(200, "{}"));
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      Runnable first = connection.measureRequests(meters);
      connection.measureRequests(meters);
      var one = connection.api().serverVersion();
      first.run();
      var two = connection.api().serverVersion();

      assertThat(one).isEqualTo(two);
      assertThat(counts()).isEqualTo(Map.of("get discovery 2xx", 2L));
    }
  }

  @Test
  void isAHistogramInSeconds() throws Exception {
    var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (var server = new ScriptedServer((request, answer) -> answer.json(200, "{}"));
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      connection.measureRequests(prometheus);
      var unused = connection.api().serverVersion();

      assertThat(prometheus.scrape())
          .contains(
              "kueue4j_client_request_duration_seconds_bucket{resource=\"discovery\","
                  + "status=\"2xx\",verb=\"get\",le=\"60.0\"} 1\n");
    }
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    for (Timer timer : meters.find("kueue4j.client.request.duration").timers()) {
      counts.put(
          tag(timer, "verb") + ' ' + tag(timer, "resource") + ' ' + tag(timer, "status"),
          timer.count());
    }
    return counts;
  }

  private static @Nullable String tag(Timer timer, String key) {
    return timer.getId().getTag(key);
  }
}
