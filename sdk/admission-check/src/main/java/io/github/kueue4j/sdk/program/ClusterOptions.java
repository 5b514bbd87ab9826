// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ClusterConnectionException;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that name a cluster; without them it is found as kubectl finds it. A mixin of
 * picocli.
 *
 * @see CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "the cluster (default: $KUBECONFIG, ~/.kube/config, or the pod's own)")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "the context of the kubeconfig (default: its current one)")
  private @Nullable String context;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "a cluster without credentials, such as http://127.0.0.1:8001")
  private @Nullable URI server;

  /** None given. */
  public ClusterOptions() {}

  /**
   * The address that was given.
   *
   * @throws StartRefusedException if a kubeconfig or a context was given, too
   */
  public Optional<URI> server() {
    if (server != null && (kubeconfig != null || context != null)) {
      throw new StartRefusedException(
          "--server excludes --kubeconfig and --context; give one or the others", null);
    }
    return Optional.ofNullable(server);
  }

  /**
   * The kubeconfig that was given, or else the one that kubectl would take; if there is one.
   *
   * @throws StartRefusedException if {@code KUBECONFIG} names several that exist: nothing merges
   *     them here
   */
  public Optional<Path> kubeconfig() {
    return Optional.ofNullable(
        kubeconfig == null ? usual(System.getenv("KUBECONFIG")) : kubeconfig);
  }

  private static @Nullable Path usual(@Nullable String variable) {
    if (variable != null && !variable.isEmpty()) {
      return onlyOne(variable);
    }
    Path file = Path.of(System.getProperty("user.home", ""), ".kube", "config");
    return Files.exists(file) ? file : null;
  }

  static Path onlyOne(String variable) {
    List<Path> files =
        Stream.of(variable.split(File.pathSeparator, -1))
            .filter(file -> !file.isEmpty())
            .map(Path::of)
            .filter(Files::isRegularFile)
            .toList();
    return switch (files.size()) {
      case 0 ->
          throw new StartRefusedException(
              "none of the files of KUBECONFIG exists (" + variable + ")", null);
      case 1 -> files.getFirst();
      default ->
          throw new StartRefusedException(
              "KUBECONFIG names several files, which this command doesn't merge ("
                  + variable
                  + "); choose one with --kubeconfig",
              null);
    };
  }

  /** The context that was given; empty for the kubeconfig's current one. */
  public Optional<String> context() {
    return Optional.ofNullable(context);
  }

  /**
   * Connects and asks the server for its version.
   *
   * @param component who connects; the user agent
   * @throws StartRefusedException if the options contradict each other, neither they nor the
   *     environment name a cluster, or it can't be used
   */
  public ClusterConnection connect(String component) {
    Optional<URI> address = server();
    ClusterConnection.Builder builder = ClusterConnection.builder(component);
    try {
      if (address.isPresent()) {
        builder.url(address.get());
      } else if (kubeconfig != null) {
        builder.kubeconfig(kubeconfig, context);
      } else {
        builder.auto(context);
      }
      return builder.connect();
    } catch (ClusterConnectionException | IllegalArgumentException e) {
      String hint =
          server == null && kubeconfig == null ? " (choose with --kubeconfig or --server)" : "";
      throw new StartRefusedException(e.getMessage() + hint, e);
    }
  }
}
