// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRequestPodSet;
import io.github.kueue4j.api.ProvisioningRequestReference;
import io.github.kueue4j.api.ProvisioningRequestSpec;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ProvisioningRequest that a workload's present reservation asks for, and its PodTemplates. A
 * function of the evaluation: computing it again gives the same.
 *
 * @param workload that asks
 * @param workloadType its type, in the version that the server speaks
 * @param check the name of the AdmissionCheck
 * @param attempt 1 for the first
 * @param config what the AdmissionCheck refers to
 * @param groups the pod sets in the request
 */
record RequestPlan(
    Workload workload,
    ResourceType<Workload> workloadType,
    String check,
    int attempt,
    ProvisioningRequestConfigSpec config,
    List<RequestedPodSets.Group> groups) {

  /** Workload annotations with this prefix override the configuration's parameters. */
  static final String PARAMETER_PREFIX = "provreq.kueue.x-k8s.io/";

  /** The longest value of a ProvisioningRequest's parameters. */
  private static final int LONGEST_VALUE = 255;

  private static final int MOST_PARAMETERS = 100;

  static final String MANAGED_LABEL = "kueue.x-k8s.io/managed";

  RequestPlan {
    groups = List.copyOf(groups);
  }

  /** The plan for these pod sets. */
  static RequestPlan of(
      Evaluation<?> evaluation,
      ProvisioningRequestConfigSpec config,
      List<RequestedPodSets.Group> groups,
      ResourceType<Workload> workloadType) {
    return new RequestPlan(
        evaluation.workload(),
        workloadType,
        evaluation.check(),
        evaluation.attempt() + 1,
        config,
        groups);
  }

  /** Where the request is, unless an object of another owner is there. */
  ObjectKey key() {
    return at(ObjectNames.request(workload.key().name(), check, attempt));
  }

  /** Where the request is if {@link #key} or what belongs to it is another owner's. */
  ObjectKey otherKey() {
    return at(ObjectNames.otherRequest(key().name(), Uids.of(workload)));
  }

  private ObjectKey at(String name) {
    return new ObjectKey(workload.key().namespace(), name);
  }

  /** The request as it has to be created. */
  ProvisioningRequest request(ObjectKey key) {
    V1ObjectMeta metadata =
        new V1ObjectMeta()
            .namespace(key.namespace())
            .name(key.name())
            .putLabelsItem(MANAGED_LABEL, "true")
            .putAnnotationsItem(Ownership.CHECK, check)
            .putAnnotationsItem(Ownership.RESERVATION, Ownership.reservedAt(workload))
            .addOwnerReferencesItem(
                owner(workloadType.apiVersion(), workloadType.kind(), workload.metadata()));
    return ProvisioningRequest.named(key.namespace(), key.name())
        .withMetadata(metadata)
        .withSpec(
            new ProvisioningRequestSpec(
                config.provisioningClassName(), podSets(key.name()), parameters()));
  }

  private List<ProvisioningRequestPodSet> podSets(String request) {
    return groups.stream()
        .map(
            group ->
                new ProvisioningRequestPodSet(
                    new ProvisioningRequestReference(
                        ObjectNames.podTemplate(request, group.name())),
                    group.count()))
        .toList();
  }

  /**
   * Whether a request that is there is the planned one: same workload, check, reservation, attempt,
   * class, parameters and pods.
   */
  boolean isServedBy(ProvisioningRequest there) {
    ObjectKey key = there.key();
    return !Ownership.isGoing(there)
        && (key.equals(key()) || key.equals(otherKey()))
        && Ownership.isFor(there, workload, check)
        && Ownership.isOfReservation(there, workload)
        && there.spec().provisioningClassName().equals(config.provisioningClassName())
        && there.spec().parameters().equals(parameters())
        && there.spec().podSets().equals(podSets(key.name()));
  }

  /** The PodTemplates of a request that was created. */
  List<V1PodTemplate> podTemplates(ProvisioningRequest created) {
    return groups.stream()
        .map(
            group ->
                new V1PodTemplate()
                    .apiVersion("v1")
                    .kind("PodTemplate")
                    .metadata(
                        new V1ObjectMeta()
                            .namespace(created.key().namespace())
                            .name(ObjectNames.podTemplate(created.key().name(), group.name()))
                            .putLabelsItem(MANAGED_LABEL, "true")
                            .addOwnerReferencesItem(
                                owner(
                                    KueueTypes.PROVISIONING_REQUEST.apiVersion(),
                                    KueueTypes.PROVISIONING_REQUEST.kind(),
                                    created.metadata())))
                    .template(group.template()))
        .toList();
  }

  /**
   * What the API server would refuse in the request, and what to do about it; empty if nothing.
   * Only the Workload's annotations can be at fault, which are its tenant's.
   */
  Optional<String> fault() {
    Map<String, String> parameters = parameters();
    if (parameters.size() > MOST_PARAMETERS) {
      return Optional.of(
          "The ProvisioningRequest would have "
              + parameters.size()
              + " parameters, but at most "
              + MOST_PARAMETERS
              + " are allowed: remove annotations "
              + PARAMETER_PREFIX
              + "... of the workload.");
    }
    return parameters.entrySet().stream()
        .filter(parameter -> parameter.getValue().length() > LONGEST_VALUE)
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst()
        .map(
            key ->
                "The annotation "
                    + PARAMETER_PREFIX
                    + key
                    + " of the workload has more than the "
                    + LONGEST_VALUE
                    + " characters that a parameter of a ProvisioningRequest may have: shorten it.");
  }

  private Map<String, String> parameters() {
    Map<String, String> parameters = new HashMap<>(config.parameters());
    Map<String, String> annotations = Metadata.annotations(workload);
    annotations.forEach(
        (key, value) -> {
          if (key.startsWith(PARAMETER_PREFIX)) {
            parameters.put(key.substring(PARAMETER_PREFIX.length()), value);
          }
        });
    return parameters;
  }

  private static V1OwnerReference owner(String apiVersion, String kind, V1ObjectMeta owner) {
    return new V1OwnerReference()
        .apiVersion(apiVersion)
        .kind(kind)
        .name(owner.getName())
        .uid(owner.getUid())
        .controller(true);
  }
}
