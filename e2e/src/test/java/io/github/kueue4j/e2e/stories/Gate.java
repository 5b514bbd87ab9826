// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import com.sun.net.httpserver.HttpServer;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What the http check asks: it sends each Workload of a Job whose name begins with {@code later}
 * back once, and lets all others through. It keeps no state, since the request tells the attempt.
 */
final class Gate implements AutoCloseable {
  /** The delay that it names; up to a fifth is added by the check. */
  static final int DELAY_SECONDS = 40;

  private static final String FIRST_ATTEMPT = "\"attempt\":0";
  private static final String OF_LATER = "\"name\":\"job-later";
  private static final String READY = "{\"verdict\": \"Ready\"}";
  private static final String RETRY =
      "{\"verdict\": \"Retry\", \"reason\": \"NotYet\", \"message\": \"Come back later.\","
          + " \"retryAfterSeconds\": "
          + DELAY_SECONDS
          + "}";

  private final HttpServer server;
  private final Actors actors;

  private Gate(HttpServer server, Actors actors) {
    this.server = server;
    this.actors = actors;
  }

  /** One in this process, on a free port of the loopback address. */
  static Gate start() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      Actors actors = Actors.named("gate");
      server.setExecutor(actors);
      server.createContext(
          "/",
          exchange -> {
            String asked =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                    .replace(" ", "");
            byte[] answer =
                (asked.contains(FIRST_ATTEMPT) && asked.contains(OF_LATER) ? RETRY : READY)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
          });
      server.start();
      return new Gate(server, actors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /**
   * The same as a pod with a Service, for busybox' web server.
   *
   * @return objects of the API as JSON
   */
  static List<String> objects(String namespace, String image) {
    String script =
        """
        #!/bin/sh
        asked=$(tr -d ' ')
        printf 'Content-Type: application/json\\r\\n\\r\\n'
        case $asked in
          *'%s'*'%s'* | *'%s'*'%s'*) echo '%s' ;;
          *) echo '%s' ;;
        esac
        """
            .formatted(FIRST_ATTEMPT, OF_LATER, OF_LATER, FIRST_ATTEMPT, RETRY, READY);
    return List.of(
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "gate", "namespace": "%s"},
          "data": {"gate": %s}}
        """
            .formatted(namespace, new com.google.gson.JsonPrimitive(script)),
        """
        {"apiVersion": "v1", "kind": "Pod",
          "metadata": {"name": "gate", "namespace": "%s", "labels": {"app": "gate"}},
          "spec": {
            "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "httpd", "image": "%s",
              "command": ["httpd", "-f", "-p", "8080", "-h", "/www"],
              "resources": {"requests": {"cpu": "10m"}},
              "readinessProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 1},
              "volumeMounts": [{"name": "scripts", "mountPath": "/www/cgi-bin"}]}],
            "volumes": [{"name": "scripts", "configMap": {"name": "gate", "defaultMode": 493}}]}}
        """
            .formatted(namespace, image),
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "gate", "namespace": "%s"},
          "spec": {"selector": {"app": "gate"}, "ports": [{"port": 80, "targetPort": 8080}]}}
        """
            .formatted(namespace));
  }

  /** Where the check finds {@link #objects}. */
  static String url(String namespace) {
    return "http://gate." + namespace + ".svc/cgi-bin/gate";
  }

  @Override
  public void close() {
    server.stop(0);
    actors.close();
  }
}
