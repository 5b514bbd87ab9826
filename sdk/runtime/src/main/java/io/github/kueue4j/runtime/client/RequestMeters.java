// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.runtime.Latencies;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Measures how long the API server takes to begin its answers to ordinary calls; watches are not
 * measured, since they never end. The hosts on a connection decide where it is recorded.
 *
 * <p>The labels are the verb, the resource's type and the class of the status, so that the number
 * of series doesn't grow with the number of objects.
 */
final class RequestMeters implements Interceptor {

  private static final String NAME = "kueue4j.client.request.duration";

  private final HttpUrl base;

  /** Each with the number of hosts that record in it. */
  private final Map<MeterRegistry, Integer> registries = new ConcurrentHashMap<>();

  RequestMeters(HttpUrl base) {
    this.base = base;
  }

  /** The meters of this client, or of the one that it was derived from. */
  static RequestMeters of(OkHttpClient client) {
    return client.interceptors().stream()
        .filter(RequestMeters.class::isInstance)
        .map(RequestMeters.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Records in this registry, once, however many hosts want it.
   *
   * @return ends it for one host; to be called once
   */
  Runnable recordIn(MeterRegistry registry) {
    registries.merge(registry, 1, Integer::sum);
    return () -> registries.computeIfPresent(registry, (same, n) -> n == 1 ? null : n - 1);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    List<MeterRegistry> recording = List.copyOf(registries.keySet());
    List<Timer.Sample> samples = recording.stream().map(Timer::start).toList();
    String status = "none";
    try {
      Response response = chain.proceed(chain.request());
      status = response.code() / 100 + "xx";
      return response;
    } finally {
      RequestLabels labels = RequestLabels.of(base, chain.request());
      for (int i = 0; i < samples.size(); i++) {
        samples.get(i).stop(timer(recording.get(i), labels, status));
      }
    }
  }

  private static Timer timer(MeterRegistry registry, RequestLabels labels, String status) {
    return Timer.builder(NAME)
        .tags("verb", labels.verb(), "resource", labels.resource(), "status", status)
        .serviceLevelObjectives(Latencies.buckets())
        .register(registry);
  }

  /**
   * The labels of a request, which name no object.
   *
   * @param verb as in RBAC, but without watch
   * @param resource plural name and group, such as {@code workloads.kueue.x-k8s.io}; {@code
   *     discovery} for a request that isn't about objects
   */
  record RequestLabels(String verb, String resource) {

    static RequestLabels of(HttpUrl base, Request request) {
      int ofBase = (int) base.pathSegments().stream().filter(part -> !part.isEmpty()).count();
      List<String> path = request.url().pathSegments();
      path = path.subList(Math.min(ofBase, path.size()), path.size());
      boolean core = path.size() > 2 && path.getFirst().equals("api");
      boolean grouped = path.size() > 3 && path.getFirst().equals("apis");
      if (!core && !grouped) {
        return new RequestLabels(verb(request.method(), true), "discovery");
      }
      String group = core ? "" : '.' + path.get(1);
      List<String> rest = path.subList(core ? 2 : 3, path.size());
      if (rest.size() > 2 && rest.getFirst().equals("namespaces")) {
        rest = rest.subList(2, rest.size());
      }
      return new RequestLabels(verb(request.method(), rest.size() > 1), rest.getFirst() + group);
    }

    private static String verb(String method, boolean named) {
      return switch (method) {
        case "GET", "HEAD" -> named ? "get" : "list";
        case "POST" -> "create";
        case "PUT" -> "update";
        case "PATCH" -> "patch";
        case "DELETE" -> named ? "delete" : "deletecollection";
        default -> "other";
      };
    }
  }
}
