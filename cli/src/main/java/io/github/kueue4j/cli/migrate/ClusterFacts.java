// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.objects.StoredObject;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The facts about a cluster that matter for a move.
 *
 * @param now when it was read
 * @param server its address
 * @param version of the API server, for example {@code v1.33.1}
 * @param namespace of the core
 * @param definitions of the API group {@code kueue.x-k8s.io}
 * @param objects all objects of {@link KueueTypes#ALL}, by kind
 * @param jobs the Jobs of all kinds that name a queue, by kind
 * @param unmanaged the objects of kinds that this core never manages and that name a queue in vain,
 *     by group and kind
 * @param namespaces the labels of the namespaces that may be read, by name
 * @param others how many objects there are of the group's other kinds, by plural
 * @param managers the Deployments that run a core
 * @param webhooks the group's webhook configurations
 * @param visibility the names of the APIServices of {@code visibility.kueue.x-k8s.io}, which the
 *     other core answers itself
 * @param owners who owns fields of what the core writes
 * @param configuration the component configuration in use, if it was found
 * @param releases the deployed Helm releases of all namespaces, or of the core's alone if the user
 *     may not read the others'
 * @param notRead what couldn't be read, and why
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record ClusterFacts(
    Instant now,
    String server,
    String version,
    String namespace,
    List<V1CustomResourceDefinition> definitions,
    Map<String, List<StoredObject>> objects,
    Map<String, List<StoredObject>> jobs,
    Map<String, List<StoredObject>> unmanaged,
    Map<String, Map<String, String>> namespaces,
    Map<String, Integer> others,
    List<V1Deployment> managers,
    List<Registration> webhooks,
    List<String> visibility,
    FieldOwners owners,
    Optional<ConfigurationText> configuration,
    List<HelmRelease> releases,
    List<String> notRead) {

  public ClusterFacts {
    definitions = List.copyOf(definitions);
    objects = Map.copyOf(objects);
    jobs = Map.copyOf(jobs);
    unmanaged = Map.copyOf(unmanaged);
    namespaces = Map.copyOf(namespaces);
    others = Map.copyOf(others);
    managers = List.copyOf(managers);
    webhooks = List.copyOf(webhooks);
    visibility = List.copyOf(visibility);
    releases = List.copyOf(releases);
    notRead = List.copyOf(notRead);
  }

  /** The objects of one kind. */
  List<StoredObject> objects(ResourceType<? extends ApiObject> type) {
    return objects.getOrDefault(type.kind(), List.of());
  }

  /** The Jobs of a kind, named as in {@code batch/Job}. */
  List<StoredObject> jobs(String groupAndKind) {
    return jobs.getOrDefault(groupAndKind.substring(groupAndKind.indexOf('/') + 1), List.of());
  }

  /** The Workloads, as their model. */
  List<Workload> workloads() {
    return objects(KueueTypes.WORKLOAD).stream().map(each -> each.as(Workload.class)).toList();
  }

  /**
   * The field managers of what a core writes.
   *
   * @param appliers those that keep definitions and webhook configurations as they are by
   *     server-side apply, with the objects that they do so for
   * @param ofStatus those that own fields of the status of Workloads, with the number of these
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record FieldOwners(Map<String, List<String>> appliers, Map<String, Integer> ofStatus) {
    public FieldOwners {
      appliers = Map.copyOf(appliers);
      ofStatus = Map.copyOf(ofStatus);
    }
  }

  /**
   * A webhook configuration.
   *
   * @param kind MutatingWebhookConfiguration or ValidatingWebhookConfiguration
   * @param name of the object
   * @param service {@code namespace/name} of the Service that its first webhook asks; empty if it
   *     has none
   * @param webhooks the names of its webhooks
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Registration(String kind, String name, String service, List<String> webhooks) {
    public Registration {
      webhooks = List.copyOf(webhooks);
    }
  }

  /**
   * A component configuration.
   *
   * @param origin the file or the ConfigMap
   * @param yaml its text
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record ConfigurationText(String origin, String yaml) {}
}
