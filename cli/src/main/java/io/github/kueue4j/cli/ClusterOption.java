// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ClusterConnectionException;
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

/** The options that name a cluster; without them it is found as kubectl finds it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class ClusterOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "the cluster (default: $KUBECONFIG, ~/.kube/config, or the pod's own)")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "a context of the kubeconfig (default: the current one)")
  private @Nullable String context;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "a cluster without credentials, such as http://127.0.0.1:8001")
  private @Nullable URI server;

  /**
   * The address that was given.
   *
   * @throws UserError if a kubeconfig or a context was given, too
   */
  public Optional<URI> server() {
    if (server != null && kubeconfig != null) {
      throw new UserError("--server and --kubeconfig exclude each other; give one of them");
    }
    if (server != null && context != null) {
      throw new UserError("--server and --context exclude each other; give one of them");
    }
    return Optional.ofNullable(server);
  }

  /**
   * The kubeconfig that was given, or else the one that kubectl would take; if there is one.
   *
   * @throws UserError if {@code KUBECONFIG} names several that exist: nothing merges them here
   */
  public Optional<Path> kubeconfig() {
    return Optional.ofNullable(
        kubeconfig == null ? usual(System.getenv("KUBECONFIG")) : kubeconfig);
  }

  /** The context that was given; empty for the kubeconfig's current one. */
  public Optional<String> context() {
    return Optional.ofNullable(context);
  }

  /**
   * Connects.
   *
   * @throws UserError if neither options nor environment name a cluster, or it doesn't answer
   */
  ClusterConnection connect() {
    Optional<URI> address = server();
    ClusterConnection.Builder builder = ClusterConnection.builder("kueue4j");
    try {
      if (address.isPresent()) {
        return builder.url(address.get()).connect();
      }
      return (kubeconfig == null ? builder.auto(context) : builder.kubeconfig(kubeconfig, context))
          .connect();
    } catch (ClusterConnectionException | IllegalArgumentException e) {
      String hint =
          server == null && kubeconfig == null ? " (choose with --kubeconfig or --server)" : "";
      throw new UserError(e.getMessage() + hint, e);
    }
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
      case 0 -> throw new UserError("none of the files of KUBECONFIG exists (" + variable + ")");
      case 1 -> files.getFirst();
      default ->
          throw new UserError(
              "KUBECONFIG names several files, which this command doesn't merge ("
                  + variable
                  + "); choose one with --kubeconfig");
    };
  }
}
