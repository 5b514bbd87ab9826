// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.ProvisioningRequestPodSet;
import io.github.kueue4j.api.ProvisioningRequestReference;
import io.github.kueue4j.api.ProvisioningRequestSpec;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.Evaluation;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The ProvisioningRequest that a workload's present reservation asks for, and its PodTemplates. A
 * function of the evaluation: computing it again gives the same.
 *
 * @param request as it has to be created
 * @param groups the pod sets in it
 */
record RequestPlan(ProvisioningRequest request, List<RequestedPodSets.Group> groups) {

  /** Workload annotations with this prefix override the configuration's parameters. */
  static final String PARAMETER_PREFIX = "provreq.kueue.x-k8s.io/";

  /** Which reservation a request is for: the time at which its quota was reserved. */
  static final String RESERVATION = "kueue4j.io/reserved-at";

  /** Which AdmissionCheck a request was created for. */
  static final String CHECK = "kueue4j.io/admission-check";

  static final String MANAGED_LABEL = "kueue.x-k8s.io/managed";

  RequestPlan {
    groups = List.copyOf(groups);
  }

  /**
   * The plan for these pod sets.
   *
   * @param owner the Workload's type, in the version that the server speaks
   */
  static RequestPlan of(
      Evaluation<?> evaluation,
      ProvisioningRequestConfigSpec config,
      List<RequestedPodSets.Group> groups,
      ResourceType<Workload> owner) {
    Workload workload = evaluation.workload();
    String name =
        ObjectNames.request(evaluation.key().name(), evaluation.check(), evaluation.attempt() + 1);
    List<ProvisioningRequestPodSet> podSets =
        groups.stream()
            .map(
                group ->
                    new ProvisioningRequestPodSet(
                        new ProvisioningRequestReference(
                            ObjectNames.podTemplate(name, group.name())),
                        group.count()))
            .toList();
    V1ObjectMeta metadata =
        new V1ObjectMeta()
            .namespace(evaluation.namespace())
            .name(name)
            .putLabelsItem(MANAGED_LABEL, "true")
            .putAnnotationsItem(CHECK, evaluation.check())
            .putAnnotationsItem(RESERVATION, reservedAt(workload))
            .addOwnerReferencesItem(owner(owner.apiVersion(), owner.kind(), workload.metadata()));
    return new RequestPlan(
        ProvisioningRequest.named(evaluation.namespace(), name)
            .withMetadata(metadata)
            .withSpec(
                new ProvisioningRequestSpec(
                    config.provisioningClassName(), podSets, parameters(workload, config))),
        groups);
  }

  /** Where the request is. */
  ObjectKey key() {
    return request.key();
  }

  /**
   * Whether a request that is there is the planned one: same workload, reservation, class,
   * parameters. A workload made anew under its name can be reserved within the same second.
   */
  boolean matches(ProvisioningRequest there) {
    Map<String, String> annotations =
        Objects.requireNonNullElse(there.metadata().getAnnotations(), Map.of());
    return there.metadata().getDeletionTimestamp() == null
        && hasSameOwner(there)
        && Objects.equals(
            annotations.get(RESERVATION),
            Objects.requireNonNull(request.metadata().getAnnotations()).get(RESERVATION))
        && there.spec().provisioningClassName().equals(request.spec().provisioningClassName())
        && there.spec().parameters().equals(request.spec().parameters());
  }

  /** Whether a request belongs to this very workload, also if another check created it. */
  boolean hasSameOwner(ProvisioningRequest there) {
    return haveSameOwner(there, request);
  }

  /**
   * Whether this check made a request for a former workload of the same name. That is gone, since a
   * name is given once at a time, and the garbage collector has yet to delete the request.
   */
  boolean isOfFormerWorkload(ProvisioningRequest there) {
    Map<String, String> annotations =
        Objects.requireNonNullElse(there.metadata().getAnnotations(), Map.of());
    return Objects.equals(
            annotations.get(CHECK),
            Objects.requireNonNull(request.metadata().getAnnotations()).get(CHECK))
        && owners(there)
            .filter(owner -> Boolean.TRUE.equals(owner.getController()))
            .anyMatch(owner -> owners(request).anyMatch(own -> haveSameName(own, owner)));
  }

  /**
   * Whether a PodTemplate was made for a former request of the planned name. That is gone, and the
   * garbage collector, if there is one, has yet to delete the template.
   */
  boolean isOfFormerRequest(V1PodTemplate there) {
    return owners(there)
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .anyMatch(
            owner ->
                KueueTypes.PROVISIONING_REQUEST.kind().equals(owner.getKind())
                    && key().name().equals(owner.getName()));
  }

  private static boolean haveSameName(V1OwnerReference one, V1OwnerReference other) {
    return Objects.equals(one.getKind(), other.getKind())
        && Objects.equals(one.getName(), other.getName());
  }

  /** Whether both objects have the same controlling owner. */
  static boolean haveSameOwner(KubernetesObject one, KubernetesObject other) {
    return controllers(one).equals(controllers(other));
  }

  private static List<String> controllers(KubernetesObject object) {
    return owners(object)
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(V1OwnerReference::getUid)
        .toList();
  }

  /** Whether a request was created for this very workload by this check. */
  static boolean isFor(ProvisioningRequest request, Workload workload, String check) {
    Map<String, String> annotations =
        Objects.requireNonNullElse(request.metadata().getAnnotations(), Map.of());
    return check.equals(annotations.get(CHECK))
        && owners(request)
            .anyMatch(owner -> Objects.equals(owner.getUid(), workload.metadata().getUid()));
  }

  /** Whether a request serves the reservation that the workload has and the check judges. */
  static boolean isOfPresentReservation(
      ProvisioningRequest request, Workload workload, String check) {
    WorkloadConditions conditions = workload.conditions();
    Map<String, String> annotations =
        Objects.requireNonNullElse(request.metadata().getAnnotations(), Map.of());
    return conditions.holdsQuota()
        && !conditions.evicted()
        && workload.spec().active()
        && workload.status().admissionCheck(check).isPresent()
        && reservedAt(workload).equals(annotations.get(RESERVATION));
  }

  private static Stream<V1OwnerReference> owners(KubernetesObject object) {
    List<V1OwnerReference> owners =
        Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
    return owners.stream();
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
                            .namespace(key().namespace())
                            .name(ObjectNames.podTemplate(key().name(), group.name()))
                            .putLabelsItem(MANAGED_LABEL, "true")
                            .addOwnerReferencesItem(
                                owner(
                                    KueueTypes.PROVISIONING_REQUEST.apiVersion(),
                                    KueueTypes.PROVISIONING_REQUEST.kind(),
                                    created.metadata())))
                    .template(group.template()))
        .toList();
  }

  private static String reservedAt(Workload workload) {
    return workload
        .conditions()
        .changedAt(WorkloadConditions.QUOTA_RESERVED)
        .map(Object::toString)
        .orElse("");
  }

  private static Map<String, String> parameters(
      Workload workload, ProvisioningRequestConfigSpec config) {
    Map<String, String> parameters = new HashMap<>(config.parameters());
    Map<String, String> annotations =
        Objects.requireNonNullElse(workload.metadata().getAnnotations(), Map.of());
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
