// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests on resources that a server got, each of them once, by the client's name. */
final class Requests implements Consumer<ApiRequest> {
  /** As the runtime names its clients: {@code kueue-core/kueue4j-0.1}. */
  private static final Pattern AGENT = Pattern.compile("(.+)/kueue4j-[^ ]+");

  private final Map<String, Set<ApiRequest>> byClient = new ConcurrentHashMap<>();

  @Override
  public void accept(ApiRequest request) {
    Matcher agent = AGENT.matcher(request.userAgent());
    String client = agent.matches() ? agent.group(1) : request.userAgent();
    byClient
        .computeIfAbsent(client, name -> ConcurrentHashMap.newKeySet())
        .add(comparable(request));
  }

  /** Rules may be limited to names, so these count; paths and versions of clients don't. */
  private static ApiRequest comparable(ApiRequest request) {
    return new ApiRequest(
        request.verb(), request.resourceRequest() ? "" : request.path(), request.attributes(), "");
  }

  /** What this client asked for. */
  Set<ApiRequest> of(String client) {
    return byClient.getOrDefault(client, Set.of());
  }

  Set<String> clients() {
    return byClient.keySet();
  }
}
