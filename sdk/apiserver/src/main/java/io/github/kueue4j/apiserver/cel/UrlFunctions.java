// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Kubernetes' {@code url} library: absolute addresses and absolute paths. */
final class UrlFunctions {

  /** A parsed address; its own type, so that equality is that of its parts. */
  record Url(URI uri) {}

  private static final CelType URL = OpaqueType.create("kubernetes.URL");
  private static final Argument TEXT = new Argument(SimpleType.STRING, String.class);
  private static final Argument ADDRESS = new Argument(URL, Url.class);

  @Immutable
  private interface Part {
    String of(URI uri);
  }

  private UrlFunctions() {}

  static void addTo(FunctionSet set) {
    set.global(
        "isURL",
        "k8s_is_url",
        SimpleType.BOOL,
        List.of(TEXT),
        a -> parse((String) a[0]).isPresent());
    set.global("url", "k8s_url", URL, List.of(TEXT), a -> url((String) a[0]));
    part(set, "getScheme", url -> orEmpty(url.getScheme()));
    part(set, "getHost", UrlFunctions::host);
    part(set, "getHostname", url -> strip(orEmpty(url.getHost())));
    part(set, "getPort", url -> url.getPort() < 0 ? "" : Integer.toString(url.getPort()));
    part(set, "getEscapedPath", url -> orEmpty(url.getRawPath()));
    CelType query = MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING));
    set.member(
        "getQuery", "k8s_url_getQuery", query, List.of(ADDRESS), a -> query(((Url) a[0]).uri()));
  }

  private static void part(FunctionSet set, String name, Part part) {
    set.member(
        name,
        "k8s_url_" + name,
        SimpleType.STRING,
        List.of(ADDRESS),
        a -> part.of(((Url) a[0]).uri()));
  }

  private static Optional<Url> parse(String text) {
    try {
      URI uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/")
          ? Optional.of(new Url(uri))
          : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static Url url(String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "URL parse error during conversion from string: " + text));
  }

  private static String host(URI uri) {
    String host = orEmpty(uri.getHost());
    return uri.getPort() < 0 ? host : host + ":" + uri.getPort();
  }

  /** IPv6 hosts lose their brackets. */
  private static String strip(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static String orEmpty(@Nullable String part) {
    return part == null ? "" : part;
  }

  private static Map<String, List<String>> query(URI uri) {
    Map<String, List<String>> result = new LinkedHashMap<>();
    for (String pair : orEmpty(uri.getRawQuery()).split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      result.computeIfAbsent(decode(key), k -> new ArrayList<>()).add(decode(value));
    }
    return result;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
