// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kubeconfig files as one, as kubectl merges the files of {@code KUBECONFIG}: the first file that
 * names a context, a cluster, a user or the current context decides, and a relative path starts at
 * the file that it stands in.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/">Organizing
 *     cluster access using kubeconfig files</a>
 */
final class Kubeconfigs {
  private static final List<String> PATHS_OF_CLUSTERS = List.of("certificate-authority");
  private static final List<String> PATHS_OF_USERS =
      List.of("client-certificate", "client-key", "tokenFile");

  private final ArrayList<Object> contexts = new ArrayList<>();
  private final ArrayList<Object> clusters = new ArrayList<>();
  private final ArrayList<Object> users = new ArrayList<>();
  private @Nullable String current;

  private Kubeconfigs() {}

  /**
   * Reads and merges.
   *
   * @param files at least one, the first first
   * @throws ClusterConnectionException if one can't be read
   */
  static KubeConfig merged(List<Path> files) {
    Kubeconfigs all = new Kubeconfigs();
    files.forEach(all::add);
    KubeConfig merged = new KubeConfig(all.contexts, all.clusters, all.users);
    merged.setContext(all.current);
    // Only for what reads it unasked: all paths are absolute by now.
    merged.setFile(files.getFirst().toAbsolutePath().toFile());
    return merged;
  }

  private void add(Path file) {
    KubeConfig config = parse(file);
    try {
      addNew(contexts, config.getContexts());
      for (Map<String, Object> cluster : addNew(clusters, config.getClusters())) {
        resolve(cluster.get("cluster"), PATHS_OF_CLUSTERS, file);
      }
      for (Map<String, Object> user : addNew(users, config.getUsers())) {
        resolve(user.get("user"), PATHS_OF_USERS, file);
        if (user.get("user") instanceof Map<?, ?> content
            && content.get("exec") instanceof Map<?, ?> exec
            && exec.get("command") instanceof String command
            && command.contains("/")) {
          resolve(exec, List.of("command"), file);
        }
      }
    } catch (ClassCastException | UnsupportedOperationException e) {
      throw unreadable(file, e);
    }
    if (current == null || current.isEmpty()) {
      current = config.getCurrentContext();
    }
  }

  private static KubeConfig parse(Path file) {
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return KubeConfig.loadKubeConfig(reader);
    } catch (IOException | RuntimeException e) {
      throw unreadable(file, e);
    }
  }

  private static ClusterConnectionException unreadable(Path file, Exception cause) {
    return new ClusterConnectionException(
        file + " is no readable kubeconfig (YAML with clusters, contexts and users): fix it",
        cause);
  }

  /** Adds the entries whose names are new, and returns them. */
  @SuppressWarnings("unchecked") // Keys of a YAML object of these files are texts.
  private static List<Map<String, Object>> addNew(
      List<Object> known, @Nullable List<Object> entries) {
    Set<Object> names = new HashSet<>();
    for (Object entry : known) {
      names.add(name(entry));
    }
    List<Map<String, Object>> added = new ArrayList<>();
    for (Object entry : entries == null ? List.of() : entries) {
      if (entry instanceof Map<?, ?> map && names.add(name(entry))) {
        known.add(map);
        added.add((Map<String, Object>) map);
      }
    }
    return added;
  }

  private static String name(Object entry) {
    return entry instanceof Map<?, ?> map ? String.valueOf(map.get("name")) : "";
  }

  @SuppressWarnings("unchecked") // Keys of a YAML object of these files are texts.
  private static void resolve(@Nullable Object content, List<String> members, Path file) {
    if (content instanceof Map<?, ?> map) {
      for (String member : members) {
        if (map.get(member) instanceof String path && !path.isEmpty()) {
          Path absolute = file.toAbsolutePath().resolveSibling(path).normalize();
          ((Map<String, Object>) map).put(member, absolute.toString());
        }
      }
    }
  }
}
