// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The URL of an API server and the credentials, as the client library's builder, from one of the
 * usual sources.
 *
 * @param server the base URL, without a trailing slash
 * @param namespace the default namespace of this source
 * @param client builder with the certificates and tokens
 */
record Endpoint(URI server, String namespace, ClientBuilder client) {

  static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /**
   * How long a token from an exec plugin is reused: the shortest-lived known tokens last 15 min.
   */
  private static final Duration EXEC_TOKEN_LIFE = Duration.ofMinutes(5);

  static Endpoint url(URI url) {
    if (url.getScheme() == null || url.getHost() == null) {
      throw new ClusterConnectionException(
          "'" + url + "' is no server URL: write it like https://host:6443", null);
    }
    URI server = withoutSlash(url.toString());
    return new Endpoint(server, "default", new ClientBuilder().setBasePath(server.toString()));
  }

  static Endpoint kubeconfig(Path file, @Nullable String context) {
    if (!Files.isRegularFile(file)) {
      throw new ClusterConnectionException(
          "no kubeconfig at " + file + ": check the path, or write one with your cluster's tool",
          null);
    }
    return kubeconfigs(List.of(file), context);
  }

  /** These files merged; all of them exist. */
  private static Endpoint kubeconfigs(List<Path> files, @Nullable String context) {
    KubeConfig config = Kubeconfigs.merged(files);
    String source = files.stream().map(Path::toString).collect(Collectors.joining(", "));
    selectContext(config, source, context);
    String name = config.getCurrentContext();
    if (config.getServer() == null) {
      throw new ClusterConnectionException(
          "context '" + name + "' in " + source + " names no cluster with a server: add one", null);
    }
    try {
      ClientBuilder client = ClientBuilder.kubeconfig(config, EXEC_TOKEN_LIFE);
      tokenFile(config).forEach(path -> client.setAuthentication(new TokenFile(Path.of(path))));
      String namespace = config.getNamespace();
      return new Endpoint(
          withoutSlash(client.getBasePath()), namespace == null ? "default" : namespace, client);
    } catch (IOException | RuntimeException e) {
      throw new ClusterConnectionException(
          "can't use the credentials of context '"
              + name
              + "' in "
              + source
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /**
   * The cluster that kubectl would take: the files of {@code KUBECONFIG}, else {@code
   * ~/.kube/config}, else the service account of this process's pod.
   *
   * @param context null for the current one
   */
  static Endpoint auto(
      Map<String, String> environment, Path home, Path serviceAccount, @Nullable String context) {
    String variable = environment.getOrDefault("KUBECONFIG", "");
    if (!variable.isEmpty()) {
      List<Path> files =
          Stream.of(variable.split(File.pathSeparator, -1))
              .filter(file -> !file.isEmpty())
              .map(Path::of)
              .filter(Files::isRegularFile)
              .toList();
      if (files.isEmpty()) {
        throw new ClusterConnectionException(
            "none of the files of KUBECONFIG exists (" + variable + "): correct or unset it", null);
      }
      return kubeconfigs(files, context);
    }
    Path usual = home.resolve(".kube").resolve("config");
    if (Files.isRegularFile(usual)) {
      return kubeconfigs(List.of(usual), context);
    }
    if (context == null && environment.containsKey("KUBERNETES_SERVICE_HOST")) {
      return inCluster(environment, serviceAccount);
    }
    throw new ClusterConnectionException(
        (context == null ? "no cluster found" : "no kubeconfig for context '" + context + "' found")
            + ": KUBECONFIG is not set, there is no file "
            + usual
            + (context == null ? ", and this process runs in no pod" : "")
            + "; write a kubeconfig with your cluster's tool, or name it in KUBECONFIG",
        null);
  }

  static Endpoint inCluster(Map<String, String> environment, Path serviceAccount) {
    @Nullable String host = environment.get("KUBERNETES_SERVICE_HOST");
    @Nullable String port = environment.get("KUBERNETES_SERVICE_PORT");
    Path token = serviceAccount.resolve("token");
    Path authority = serviceAccount.resolve("ca.crt");
    if (host == null || port == null || !Files.isReadable(token) || !Files.isReadable(authority)) {
      throw new ClusterConnectionException(
          "not inside a cluster (no service account at "
              + serviceAccount
              + "): give a kubeconfig file instead",
          null);
    }
    // An IPv6 address is written in brackets in a URL.
    String address = host.contains(":") ? '[' + host + ']' : host;
    URI server = URI.create("https://" + address + ':' + port);
    try {
      Path namespace = serviceAccount.resolve("namespace");
      ClientBuilder client =
          new ClientBuilder()
              .setBasePath(server.toString())
              .setCertificateAuthority(Files.readAllBytes(authority))
              .setAuthentication(new TokenFile(token));
      return new Endpoint(
          server,
          Files.isReadable(namespace) ? Files.readString(namespace).trim() : "default",
          client);
    } catch (IOException | RuntimeException e) {
      throw new ClusterConnectionException(
          "can't read the service account at " + serviceAccount + ": " + e.getMessage(), e);
    }
  }

  private static void selectContext(KubeConfig config, String source, @Nullable String context) {
    String wanted = context == null ? config.getCurrentContext() : context;
    if (wanted == null || wanted.isEmpty()) {
      throw new ClusterConnectionException(
          "no current-context in " + source + ": name one of " + names(config.getContexts()), null);
    }
    if (!config.setContext(wanted)) {
      throw new ClusterConnectionException(
          "no context '" + wanted + "' in " + source + ": it has " + names(config.getContexts()),
          null);
    }
  }

  private static List<String> names(@Nullable List<Object> entries) {
    List<String> names = new ArrayList<>();
    for (Object entry : entries == null ? List.of() : entries) {
      if (entry instanceof Map<?, ?> map) {
        names.add(String.valueOf(map.get("name")));
      }
    }
    return names;
  }

  /** Reads a tokenFile, because the client library neither trims nor re-reads it. */
  private static Stream<String> tokenFile(KubeConfig config) {
    return entry(config.getContexts(), config.getCurrentContext(), "context")
        .flatMap(context -> text(context, "user"))
        .flatMap(user -> entry(config.getUsers(), user, "user"))
        .filter(user -> !user.containsKey("token"))
        .flatMap(user -> text(user, "tokenFile"));
  }

  private static Stream<Map<?, ?>> entry(@Nullable List<Object> entries, String name, String body) {
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object entry : entries == null ? List.of() : entries) {
      if (entry instanceof Map<?, ?> map
          && name.equals(map.get("name"))
          && map.get(body) instanceof Map<?, ?> content) {
        found.add(content);
      }
    }
    return found.stream();
  }

  private static Stream<String> text(Map<?, ?> map, String member) {
    return map.get(member) instanceof String value ? Stream.of(value) : Stream.of();
  }

  private static URI withoutSlash(String url) {
    return URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
  }
}
