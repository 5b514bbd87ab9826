// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.migrate.ClusterFacts.ConfigurationText;
import io.github.kueue4j.cli.migrate.ClusterFacts.FieldOwners;
import io.github.kueue4j.cli.migrate.ClusterFacts.Registration;
import io.github.kueue4j.cli.objects.StoredObject;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.AdmissionregistrationV1ServiceReference;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionNames;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1MutatingWebhook;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ValidatingWebhook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a move depends on. What the user may not read is noted and left out, so that the rest
 * is still told.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class FactsReader {
  private static final String CONFIGURATION_KEY = "controller_manager_config.yaml";
  private static final String MANAGER = "control-plane=controller-manager";
  private static final ListOptions QUEUED =
      ListOptions.all().withLabelSelector("kueue.x-k8s.io/queue-name");
  private static final String VISIBILITY = ".visibility.kueue.x-k8s.io";
  private static final ResourceType<StoredObject> API_SERVICE =
      ResourceType.of("apiregistration.k8s.io/v1", "APIService", StoredObject.class)
          .clusterScoped();
  private static final Set<String> MODELLED =
      KueueTypes.ALL.stream().map(ResourceType::plural).collect(Collectors.toUnmodifiableSet());

  private final ClusterConnection connection;
  private final KubernetesApi api;
  private final String namespace;
  private final List<String> notRead = new ArrayList<>();

  private FactsReader(ClusterConnection connection, String namespace) {
    this.connection = connection;
    this.api = connection.api();
    this.namespace = namespace;
  }

  /**
   * Reads a cluster.
   *
   * @param namespace of the core
   * @param configuration a file's text; empty for the ConfigMap in the namespace
   * @throws KubernetesApiException if the server doesn't answer
   */
  public static ClusterFacts read(
      ClusterConnection connection,
      String namespace,
      Optional<ConfigurationText> configuration,
      Instant now) {
    return new FactsReader(connection, namespace).read(configuration, now);
  }

  private ClusterFacts read(Optional<ConfigurationText> configuration, Instant now) {
    List<V1CustomResourceDefinition> definitions =
        list(CoreTypes.CUSTOM_RESOURCE_DEFINITION, ListOptions.all()).stream()
            .filter(each -> each.getSpec().getGroup().equals(KueueTypes.GROUP))
            .toList();
    List<Registration> webhooks = webhooks();
    return new ClusterFacts(
        now,
        connection.server().toString(),
        api.serverVersion(),
        namespace,
        definitions,
        objects(),
        jobs(),
        unmanaged(),
        namespaces(),
        others(definitions),
        managers(),
        webhooks,
        visibility(),
        owners(definitions, webhooks),
        configuration.or(this::installedConfiguration),
        releases(),
        notRead);
  }

  private Map<String, List<StoredObject>> objects() {
    Map<String, List<StoredObject>> objects = new LinkedHashMap<>();
    for (ResourceType<? extends ApiObject> type : KueueTypes.ALL) {
      objects.put(type.kind(), list(type.as(StoredObject.class), ListOptions.all()));
    }
    return objects;
  }

  private Map<String, List<StoredObject>> jobs() {
    Map<String, List<StoredObject>> jobs = new LinkedHashMap<>();
    for (ResourceType<?> type : Integrations.ofAll().types().values()) {
      jobs.put(type.kind(), list(type.as(StoredObject.class), QUEUED));
    }
    return jobs;
  }

  private Map<String, List<StoredObject>> unmanaged() {
    Map<String, List<StoredObject>> objects = new LinkedHashMap<>();
    for (UnmanagedKind kind : UnmanagedKind.ALL) {
      objects.put(
          ObjectRules.groupAndKind(kind.type().apiVersion(), kind.type().kind()),
          list(kind.type().as(StoredObject.class), QUEUED));
    }
    return objects;
  }

  private Map<String, Map<String, String>> namespaces() {
    return list(CoreTypes.NAMESPACE, ListOptions.all()).stream()
        .collect(
            Collectors.toMap(each -> ObjectKey.of(each).name(), each -> Metadata.labels(each)));
  }

  private Map<String, Integer> others(List<V1CustomResourceDefinition> definitions) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (V1CustomResourceDefinition definition : definitions) {
      V1CustomResourceDefinitionNames names = definition.getSpec().getNames();
      if (!MODELLED.contains(names.getPlural())) {
        definition.getSpec().getVersions().stream()
            .filter(version -> Boolean.TRUE.equals(version.getServed()))
            .map(V1CustomResourceDefinitionVersion::getName)
            .reduce((first, last) -> last)
            .ifPresent(version -> counts.put(names.getPlural(), count(definition, version)));
      }
    }
    return counts;
  }

  private int count(V1CustomResourceDefinition definition, String version) {
    V1CustomResourceDefinitionNames names = definition.getSpec().getNames();
    // As the cluster has it, whose names ResourceType.of may not take.
    ResourceType<StoredObject> type =
        new ResourceType<>(
            KueueTypes.GROUP,
            version,
            names.getKind(),
            names.getPlural(),
            definition.getSpec().getScope().equals("Namespaced"),
            StoredObject.class,
            StoredObject.class,
            List.of());
    return list(type, ListOptions.all()).size();
  }

  private List<V1Deployment> managers() {
    return list(
        CoreTypes.DEPLOYMENT, ListOptions.inNamespace(namespace).withLabelSelector(MANAGER));
  }

  private List<Registration> webhooks() {
    List<Registration> registrations = new ArrayList<>();
    for (var each : list(CoreTypes.MUTATING_WEBHOOK_CONFIGURATION, ListOptions.all())) {
      List<V1MutatingWebhook> hooks = Optional.ofNullable(each.getWebhooks()).orElse(List.of());
      registration(
              each,
              hooks.stream().map(V1MutatingWebhook::getName).toList(),
              () -> hooks.getFirst().getClientConfig().getService())
          .ifPresent(registrations::add);
    }
    for (var each : list(CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION, ListOptions.all())) {
      List<V1ValidatingWebhook> hooks = Optional.ofNullable(each.getWebhooks()).orElse(List.of());
      registration(
              each,
              hooks.stream().map(V1ValidatingWebhook::getName).toList(),
              () -> hooks.getFirst().getClientConfig().getService())
          .ifPresent(registrations::add);
    }
    return registrations;
  }

  /** Both implementations name their webhooks so, for example vclusterqueue.kb.io. */
  private static boolean isKueue(String webhook) {
    return webhook.endsWith("clusterqueue.kb.io") || webhook.endsWith("workload.kb.io");
  }

  private static Optional<Registration> registration(
      KubernetesObject object,
      List<String> names,
      Supplier<@Nullable AdmissionregistrationV1ServiceReference> first) {
    if (names.stream().noneMatch(FactsReader::isKueue)) {
      return Optional.empty();
    }
    AdmissionregistrationV1ServiceReference service = first.get();
    return Optional.of(
        new Registration(
            String.valueOf(object.getKind()),
            String.valueOf(object.getMetadata().getName()),
            service == null ? "" : service.getNamespace() + "/" + service.getName(),
            names));
  }

  private List<String> visibility() {
    return list(API_SERVICE, ListOptions.all()).stream()
        .map(each -> ObjectKey.of(each).name())
        .filter(name -> name.endsWith(VISIBILITY))
        .toList();
  }

  private FieldOwners owners(
      List<V1CustomResourceDefinition> definitions, List<Registration> webhooks) {
    Set<String> written =
        Stream.concat(
                definitions.stream().map(each -> title("CustomResourceDefinition", each)),
                webhooks.stream().map(each -> each.kind() + " " + each.name()))
            .collect(Collectors.toSet());
    Map<String, List<String>> appliers = new TreeMap<>();
    for (ResourceType<?> type :
        List.of(
            CoreTypes.CUSTOM_RESOURCE_DEFINITION,
            CoreTypes.MUTATING_WEBHOOK_CONFIGURATION,
            CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION)) {
      for (ManagedObject each : list(type.as(ManagedObject.class), ListOptions.all())) {
        String title = title(type.kind(), each);
        if (written.contains(title)) {
          each.appliers()
              .forEach(
                  manager ->
                      appliers.computeIfAbsent(manager, none -> new ArrayList<>()).add(title));
        }
      }
    }
    Map<String, Integer> ofStatus = new TreeMap<>();
    for (ManagedObject each :
        list(KueueTypes.WORKLOAD.as(ManagedObject.class), ListOptions.all())) {
      each.statusOwners().forEach(manager -> ofStatus.merge(manager, 1, Integer::sum));
    }
    return new FieldOwners(appliers, ofStatus);
  }

  private static String title(String kind, KubernetesObject object) {
    return kind + " " + ObjectKey.of(object).name();
  }

  private Optional<ConfigurationText> installedConfiguration() {
    List<ConfigurationText> texts = new ArrayList<>();
    for (var map : list(CoreTypes.CONFIG_MAP, ListOptions.inNamespace(namespace))) {
      String yaml = Optional.ofNullable(map.getData()).orElse(Map.of()).get(CONFIGURATION_KEY);
      if (yaml != null) {
        texts.add(new ConfigurationText("ConfigMap " + ObjectKey.of(map), yaml));
      }
    }
    if (texts.size() > 1) {
      notRead.add(
          "the configuration: "
              + texts.stream().map(ConfigurationText::origin).collect(Collectors.joining(", "))
              + " have one; choose with --config FILE");
    }
    return texts.size() == 1 ? Optional.of(texts.getFirst()) : Optional.empty();
  }

  private List<HelmRelease> releases() {
    List<HelmRelease> releases = new ArrayList<>();
    for (V1Secret secret : releaseSecrets()) {
      try {
        HelmRelease.read(secret).ifPresent(releases::add);
      } catch (HelmRelease.UnreadableReleaseException e) {
        notRead.add(e.getMessage());
      }
    }
    return releases;
  }

  /**
   * Flux keeps them beside its own objects, so all namespaces are looked at where that is allowed.
   */
  private List<V1Secret> releaseSecrets() {
    try {
      return api.list(CoreTypes.SECRET, ListOptions.all().withLabelSelector("owner=helm")).items();
    } catch (KubernetesApiException.Forbidden e) {
      return list(
          CoreTypes.SECRET, ListOptions.inNamespace(namespace).withLabelSelector("owner=helm"));
    }
  }

  private <T extends KubernetesObject> List<T> list(ResourceType<T> type, ListOptions options) {
    try {
      return api.list(type, options).items();
    } catch (KubernetesApiException.NotFound notServed) {
      return List.of();
    } catch (KubernetesApiException.Forbidden | KubernetesApiException.ServerFailure e) {
      // The server fails to list objects of another stored version while no webhook converts them.
      notRead.add(type.qualifiedName() + ": " + e.getMessage());
      return List.of();
    }
  }
}
