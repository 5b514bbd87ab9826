// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.sdk.Holding;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The owners of the objects that are there: told by the UIDs of their owners and by the marks that
 * the check puts on them, never by a name alone.
 */
final class Ownership {

  /**
   * The annotation that tells the reservation of a request: the time at which its quota was
   * reserved.
   */
  static final String RESERVATION = "kueue4j.io/reserved-at";

  /** The label that tells the AdmissionCheck of a request. */
  static final String CHECK = "kueue4j.io/admission-check";

  private Ownership() {}

  /** The Workload that owns a request, by its key; empty for one of another owner. */
  static Optional<ObjectKey> workload(ProvisioningRequest request) {
    return owners(request)
        .filter(owner -> KueueTypes.WORKLOAD.kind().equals(owner.getKind()))
        .map(owner -> new ObjectKey(request.key().namespace(), owner.getName()))
        .findFirst();
  }

  /** For whom a request was created; empty for one of another owner or implementation. */
  static Optional<Holding> holding(ProvisioningRequest request) {
    return Optional.ofNullable(Metadata.annotations(request).get(CHECK))
        .flatMap(
            check ->
                owners(request)
                    .filter(owner -> KueueTypes.WORKLOAD.kind().equals(owner.getKind()))
                    .findFirst()
                    .map(
                        owner ->
                            new Holding(
                                new ObjectKey(request.key().namespace(), owner.getName()),
                                owner.getUid(),
                                check,
                                "")));
  }

  /** Whether a request was created for this very Workload and this check. */
  static boolean isFor(ProvisioningRequest request, Workload workload, String check) {
    return isOfCheck(request, workload.key().name(), check)
        && owners(request)
            .anyMatch(owner -> Objects.equals(owner.getUid(), workload.metadata().getUid()));
  }

  /**
   * Whether a request was created for a former Workload of the same name. That is gone, since a
   * name is given once at a time, and the garbage collector has yet to delete the request.
   */
  static boolean isForFormer(ProvisioningRequest request, Workload workload, String check) {
    return isOfCheck(request, workload.key().name(), check)
        && owners(request)
            .filter(Ownership::isController)
            .anyMatch(
                owner ->
                    KueueTypes.WORKLOAD.kind().equals(owner.getKind())
                        && workload.key().name().equals(owner.getName())
                        && !Objects.equals(owner.getUid(), workload.metadata().getUid()));
  }

  /** A request without the mark is of another implementation, which goes by the name. */
  private static boolean isOfCheck(ProvisioningRequest request, String workload, String check) {
    String mark = Metadata.annotations(request).get(CHECK);
    return mark == null
        ? ObjectNames.isOfAnyAttempt(request.key().name(), workload, check)
        : mark.equals(check);
  }

  /**
   * Whether a request was created for the reservation that the Workload has or had last. One that
   * another implementation created says so by its age.
   */
  static boolean isOfReservation(ProvisioningRequest request, Workload workload) {
    String mark = Metadata.annotations(request).get(RESERVATION);
    if (mark != null) {
      return mark.equals(reservedAt(workload));
    }
    Optional<Instant> since = workload.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED);
    return request.metadata().getCreationTimestamp() != null
        && since.isPresent()
        && !request.metadata().getCreationTimestamp().toInstant().isBefore(since.get());
  }

  /** Whether a request serves a reservation that the Workload holds and the check judges. */
  static boolean isNeeded(ProvisioningRequest request, Workload workload, String check) {
    WorkloadConditions conditions = workload.conditions();
    return conditions.holdsQuota()
        && !conditions.evicted()
        && workload.spec().active()
        && workload.status().admissionCheck(check).isPresent()
        && isOfReservation(request, workload);
  }

  /** The value of {@link #RESERVATION} for the Workload's present reservation. */
  static String reservedAt(Workload workload) {
    return workload
        .conditions()
        .changedAt(WorkloadConditions.QUOTA_RESERVED)
        .map(Object::toString)
        .orElse("");
  }

  /** Whether a PodTemplate is the request's own. */
  static boolean isOf(V1PodTemplate template, ProvisioningRequest request) {
    return requestsOwning(template)
        .anyMatch(owner -> Objects.equals(owner.getUid(), request.metadata().getUid()));
  }

  /**
   * Whether a PodTemplate was made for a former request of the same name. That is gone, and the
   * garbage collector, if there is one, has yet to delete the template.
   */
  static boolean isOfFormer(V1PodTemplate template, ProvisioningRequest request) {
    return requestsOwning(template)
        .anyMatch(
            owner ->
                request.key().name().equals(owner.getName())
                    && !Objects.equals(owner.getUid(), request.metadata().getUid()));
  }

  private static Stream<V1OwnerReference> requestsOwning(V1PodTemplate template) {
    return owners(template)
        .filter(Ownership::isController)
        .filter(owner -> KueueTypes.PROVISIONING_REQUEST.kind().equals(owner.getKind()));
  }

  /** Whether an object is being deleted. */
  static boolean isGoing(KubernetesObject object) {
    return object.getMetadata().getDeletionTimestamp() != null;
  }

  private static boolean isController(V1OwnerReference owner) {
    return Boolean.TRUE.equals(owner.getController());
  }

  private static Stream<V1OwnerReference> owners(KubernetesObject object) {
    List<V1OwnerReference> owners = Metadata.owners(object);
    return owners.stream();
  }
}
