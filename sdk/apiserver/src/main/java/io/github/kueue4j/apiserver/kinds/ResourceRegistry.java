// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** All resources that are served at the moment. Readers see one consistent state and never wait. */
@API(status = API.Status.INTERNAL)
public final class ResourceRegistry {

  private record GroupVersion(String group, String version) {}

  private record State(
      Map<String, List<ServedResource>> definitions,
      Map<GroupVersion, Map<String, ServedResource>> served,
      Map<String, ServedResource> byStorageName) {}

  private static final String BUILT_IN = "";

  private final ReentrantLock changes = new ReentrantLock();
  private volatile State state = index(Map.of());

  public ResourceRegistry(List<ServedResource> builtIn) {
    install(BUILT_IN, builtIn);
  }

  public Optional<ServedResource> find(String group, String version, String plural) {
    return Optional.ofNullable(
        state.served().getOrDefault(new GroupVersion(group, version), Map.of()).get(plural));
  }

  /** The resource in one of the versions that are served. */
  public Optional<ServedResource> findAny(String group, String plural) {
    return state.served().entrySet().stream()
        .filter(version -> version.getKey().group().equals(group))
        .flatMap(version -> Optional.ofNullable(version.getValue().get(plural)).stream())
        .findFirst();
  }

  /** The resource that a kind is served as, for owner references and manifests. */
  public Optional<ServedResource> findKind(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    GroupVersion wanted =
        new GroupVersion(
            slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1));
    return state.served().getOrDefault(wanted, Map.of()).values().stream()
        .filter(resource -> resource.kind().equals(kind))
        .findFirst();
  }

  /** The resource in whose form the objects of a storage are stored. */
  public Optional<ServedResource> stored(String storageName) {
    return Optional.ofNullable(state.byStorageName().get(storageName));
  }

  /** The versions of each group, the preferred one first; the core group has the empty name. */
  public Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new TreeMap<>();
    for (GroupVersion served : state.served().keySet()) {
      groups.computeIfAbsent(served.group(), group -> new ArrayList<>()).add(served.version());
    }
    groups.values().forEach(versions -> versions.sort(ApiVersionOrder.PREFERRED_FIRST));
    return groups;
  }

  /** The resources of one version, sorted by name; empty if the version isn't served. */
  public Collection<ServedResource> resources(String group, String version) {
    return state.served().getOrDefault(new GroupVersion(group, version), Map.of()).values();
  }

  /** Serves the resources of a definition, in place of those it had before. */
  public void install(String definition, List<ServedResource> resources) {
    change(definition, resources);
  }

  /** Stops serving the resources of a definition. */
  public void uninstall(String definition) {
    change(definition, List.of());
  }

  private void change(String definition, List<ServedResource> resources) {
    changes.lock();
    try {
      Map<String, List<ServedResource>> definitions = new LinkedHashMap<>(state.definitions());
      if (resources.isEmpty()) {
        definitions.remove(definition);
      } else {
        definitions.put(definition, List.copyOf(resources));
      }
      state = index(definitions);
    } finally {
      changes.unlock();
    }
  }

  private static State index(Map<String, List<ServedResource>> definitions) {
    Map<GroupVersion, Map<String, ServedResource>> served = new LinkedHashMap<>();
    Map<String, ServedResource> stored = new LinkedHashMap<>();
    for (List<ServedResource> resources : definitions.values()) {
      for (ServedResource resource : resources) {
        served
            .computeIfAbsent(
                new GroupVersion(resource.group(), resource.version()), key -> new TreeMap<>())
            .put(resource.plural(), resource);
        if (resource.conversion().isOfStorage()) {
          stored.put(resource.storageName(), resource);
        }
      }
    }
    return new State(Map.copyOf(definitions), served, stored);
  }

  /**
   * Orders versions as the API does: stable before beta before alpha, then higher numbers first.
   */
  private static final class ApiVersionOrder {
    private static final Pattern FORM = Pattern.compile("v([0-9]+)(?:(alpha|beta)([0-9]+))?");
    static final Comparator<String> PREFERRED_FIRST =
        Comparator.comparingInt(ApiVersionOrder::stability)
            .thenComparing(Comparator.<String>comparingInt(v -> number(v, 1)).reversed())
            .thenComparing(Comparator.<String>comparingInt(v -> number(v, 3)).reversed())
            .thenComparing(Comparator.naturalOrder());

    private static int stability(String version) {
      Matcher matcher = FORM.matcher(version);
      if (!matcher.matches()) {
        return 3;
      }
      String level = matcher.group(2);
      return level == null ? 0 : level.equals("beta") ? 1 : 2;
    }

    private static int number(String version, int group) {
      Matcher matcher = FORM.matcher(version);
      return matcher.matches() && matcher.group(group) != null
          ? Integer.parseInt(matcher.group(group))
          : 0;
    }
  }
}
