// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonParseException;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.admission.Syntax;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.observe.explain.InstalledConfiguration;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Reads the input of {@link DryRun}: all that a core's caches hold for scheduling. What the server
 * refuses is left out; the results name it. It also asks the server whether it would create the
 * objects, without creating them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DryRunInputReader {
  private static final List<ResourceType<?>> TYPES =
      List.of(
          KueueTypes.CLUSTER_QUEUE,
          KueueTypes.COHORT,
          KueueTypes.RESOURCE_FLAVOR,
          KueueTypes.ADMISSION_CHECK,
          KueueTypes.WORKLOAD_PRIORITY_CLASS,
          CoreTypes.PRIORITY_CLASS,
          CoreTypes.RUNTIME_CLASS,
          CoreTypes.NAMESPACE,
          CoreTypes.LIMIT_RANGE,
          KueueTypes.LOCAL_QUEUE,
          KueueTypes.WORKLOAD);

  private final KubernetesApi api;
  private final Supplier<InstalledConfiguration> installed;

  /**
   * A reader for a core with the default lease. The core's configuration is read from a ConfigMap
   * in the lease's namespace.
   */
  public DryRunInputReader(KubernetesApi api) {
    this(api, () -> InstalledConfiguration.read(api, Configuration.defaults()));
  }

  /** A reader for a core with this configuration. */
  public DryRunInputReader(KubernetesApi api, Configuration configuration) {
    this(api, () -> InstalledConfiguration.known(api, configuration));
  }

  /** A reader for a core that runs, with this configuration: it doesn't look for its lease. */
  @API(status = API.Status.INTERNAL)
  public static DryRunInputReader ofRunning(KubernetesApi api, Configuration configuration) {
    InstalledConfiguration known = new InstalledConfiguration(null, Optional.of(configuration));
    return new DryRunInputReader(api, () -> known);
  }

  private DryRunInputReader(KubernetesApi api, Supplier<InstalledConfiguration> installed) {
    this.api = api;
    this.installed = installed;
  }

  /**
   * Reads what decides about these objects.
   *
   * @throws KubernetesApiException if the server doesn't answer
   */
  public DryRunInput read(List<Manifest> manifests) {
    return read(
        manifests,
        manifests.stream().map(each -> each.key().namespace()).collect(Collectors.toSet()));
  }

  /**
   * Reads what decides about the Workloads of a namespace.
   *
   * @throws KubernetesApiException if the server doesn't answer
   */
  public DryRunInput read(String namespace) {
    return read(List.of(), Set.of(namespace));
  }

  private DryRunInput read(List<Manifest> manifests, Set<String> namespaces) {
    InstalledConfiguration core = installed.get();
    Optional<Configuration> configuration = core.configuration();
    ReadObjects objects = new ReadObjects();
    TYPES.forEach(type -> list(type, namespaces, objects));
    Map<Manifest, KubernetesApiException> refusals = new HashMap<>();
    Stream.concat(
            configuration.orElseGet(Configuration::defaults).integrations().kinds().all().stream()
                .map(JobKind::type),
            ServingKind.ALL.stream().map(ServingKind::type))
        .forEach(
            type ->
                manifests.stream()
                    .filter(manifest -> manifest.isOf(type))
                    .forEach(
                        manifest -> {
                          get(type, manifest.key(), objects);
                          refusal(type, manifest).ifPresent(why -> refusals.put(manifest, why));
                        }));
    manifests.stream()
        .flatMap(manifest -> manifest.podGroup().stream())
        .distinct()
        .forEach(group -> members(group, objects));
    return new DryRunInput(manifests, refusals, objects, configuration.orElse(null), core.lease());
  }

  /** The answer of the API server if it would not create the object. */
  private <T extends KubernetesObject> Optional<KubernetesApiException> refusal(
      ResourceType<T> type, Manifest manifest) {
    try {
      api.createDryRun(type, KueueJson.fromTree(manifest.tree(), type));
      return Optional.empty();
    } catch (KubernetesApiException.Unreachable | KubernetesApiException.Unauthorized e) {
      throw e;
    } catch (KubernetesApiException e) {
      return Optional.of(e);
    } catch (JsonParseException e) {
      // The dry run finds the same, and names it.
      return Optional.empty();
    }
  }

  /** Reads the objects of all namespaces, or of these if only they may be read. */
  private <T extends KubernetesObject> void list(
      ResourceType<T> type, Set<String> namespaces, ReadObjects objects) {
    try {
      api.list(type, ListOptions.all()).items().forEach(each -> objects.put(type, each));
    } catch (KubernetesApiException.Forbidden e) {
      objects.refuse(type);
      for (String namespace : namespaces) {
        if (type.namespaced()) {
          listIn(type, namespace, objects);
        } else if (type.equals(CoreTypes.NAMESPACE)) {
          get(type, ObjectKey.cluster(namespace), objects);
        }
      }
    }
  }

  private <T extends KubernetesObject> void listIn(
      ResourceType<T> type, String namespace, ReadObjects objects) {
    try {
      api.list(type, ListOptions.inNamespace(namespace))
          .items()
          .forEach(each -> objects.put(type, each));
      objects.readIn(type, namespace);
    } catch (KubernetesApiException.Forbidden e) {
      objects.refuse(type);
    }
  }

  /** The pods of a group that are there already. */
  private void members(ObjectKey group, ReadObjects objects) {
    if (Syntax.labelValue(group.name()).isPresent()) {
      return; // The API server refuses such pods.
    }
    try {
      api.list(
              CoreTypes.POD,
              ListOptions.inNamespace(group.namespace())
                  .withLabelSelector(Keys.POD_GROUP + "=" + group.name()))
          .items()
          .forEach(each -> objects.put(CoreTypes.POD, each));
    } catch (KubernetesApiException.Forbidden e) {
      objects.refuse(CoreTypes.POD);
    }
  }

  private <T extends KubernetesObject> void get(
      ResourceType<T> type, ObjectKey key, ReadObjects objects) {
    try {
      if (!type.equals(CoreTypes.NAMESPACE) && !api.serves(type)) {
        objects.notServed(type);
      } else if (!key.name().isEmpty()) {
        api.get(type, key).ifPresent(found -> objects.put(type, found));
      }
    } catch (KubernetesApiException.Forbidden e) {
      objects.refuse(type);
    }
  }
}
