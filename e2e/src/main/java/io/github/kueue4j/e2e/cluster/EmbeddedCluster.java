// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.RequestCounters;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apiguardian.api.API;

/** The embedded API server in this process. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class EmbeddedCluster implements Cluster {
  /** The machine may stand still for longer than the core's webhooks are given, 5 s. */
  private static final Duration WEBHOOK_PATIENCE = Duration.ofMinutes(1);

  private final EmbeddedApiServer server;
  private final TemporaryFolder folder;
  private final Path kubeconfig;
  private final Path innerKubeconfig;

  private EmbeddedCluster(EmbeddedApiServer server, TemporaryFolder folder) {
    this.server = server;
    this.folder = folder;
    this.kubeconfig = server.kubeconfig(folder.path().resolve("kubeconfig"));
    this.innerKubeconfig = server.innerKubeconfig(folder.path().resolve("inner-kubeconfig"));
  }

  /**
   * Starts a server that serves the built-in kinds only, see {@link #start(int, InstantSource,
   * List)}.
   */
  public static EmbeddedCluster start(int port, InstantSource clock) {
    return start(port, clock, List.of());
  }

  /**
   * Starts a server.
   *
   * @param port on the loopback interface, or 0 for any free one
   * @param clock what creation times are read from
   * @param objects YAML texts to apply before the port opens
   * @throws ClusterUnavailable if the port is taken
   */
  public static EmbeddedCluster start(int port, InstantSource clock, List<String> objects) {
    return start(
        port, EmbeddedApiServer.builder().port(port).clock(clock).kubelets().objects(objects));
  }

  /**
   * Starts a server that asks clients to come back later, until {@link #open}; parts of the cluster
   * use {@link #innerKubeconfig}.
   *
   * @param port on the loopback interface, or 0 for any free one
   * @param clock what creation times are read from
   * @param objects YAML texts to apply before the port opens
   * @throws ClusterUnavailable if the port is taken
   */
  public static EmbeddedCluster startHeldBack(int port, InstantSource clock, List<String> objects) {
    return start(
        port,
        EmbeddedApiServer.builder().port(port).clock(clock).kubelets().objects(objects).heldBack());
  }

  private static EmbeddedCluster start(int port, EmbeddedApiServer.Builder server) {
    TemporaryFolder folder = TemporaryFolder.create("embedded");
    try {
      return new EmbeddedCluster(server.webhookPatience(WEBHOOK_PATIENCE).start(), folder);
    } catch (RuntimeException e) {
      folder.close();
      if (e instanceof UncheckedIOException && isTaken(e)) {
        throw new ClusterUnavailable(notFree(port), e);
      }
      throw e;
    }
  }

  private static String notFree(int port) {
    return port == 0
        ? "no port on 127.0.0.1 is free; end what holds so many"
        : "port " + port + " on 127.0.0.1 is taken; choose another one, 0 takes any free one";
  }

  private static boolean isTaken(Throwable problem) {
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return true;
      }
    }
    return false;
  }

  /** The base URL, such as {@code http://127.0.0.1:8001}. */
  public URI uri() {
    return server.uri();
  }

  /** Lets all clients in. */
  public void open() {
    server.open();
  }

  /** A kubeconfig for parts of the cluster, which are served while others are held back. */
  public Path innerKubeconfig() {
    return innerKubeconfig;
  }

  /** Leads what webhooks get through this service to a port of the loopback address. */
  public void routeService(String namespace, String name, int port) {
    server.routeService(namespace, name, port);
  }

  /** What the server was asked so far. */
  public RequestCounters requests() {
    return server.requests();
  }

  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    server.close();
    folder.close();
  }
}
