// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.traffic.ApiRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the coordinates of a request out of its method, path and query. */
final class RequestPath {
  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

  private RequestPath() {}

  static ApiRequest read(String method, String path, Query query, String userAgent) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty()) {
        parts.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
      }
    }
    String group = "";
    int next;
    if (parts.size() >= 3 && parts.get(0).equals("api")) {
      next = 1;
    } else if (parts.size() >= 4 && parts.get(0).equals("apis")) {
      group = parts.get(1);
      next = 2;
    } else {
      return new ApiRequest(method.toLowerCase(Locale.ROOT), path, null, userAgent);
    }
    String version = parts.get(next++);
    String namespace = "";
    if (parts.get(next).equals("namespaces")
        && parts.size() > next + 2
        && !NAMESPACE_SUBRESOURCES.contains(parts.get(next + 2))) {
      namespace = parts.get(next + 1);
      next += 2;
    }
    String resource = parts.get(next++);
    String name = parts.size() > next ? parts.get(next++) : "";
    String subresource =
        String.join("/", parts.subList(Math.min(next, parts.size()), parts.size()));
    return new ApiRequest(
        verb(method, name, query),
        path,
        new ApiRequest.ResourceAttributes(group, version, resource, subresource, namespace, name),
        userAgent);
  }

  private static String verb(String method, String name, Query query) {
    return switch (method) {
      case "GET", "HEAD" -> !name.isEmpty() ? "get" : query.flag("watch") ? "watch" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      default -> method.toLowerCase(Locale.ROOT);
    };
  }
}
