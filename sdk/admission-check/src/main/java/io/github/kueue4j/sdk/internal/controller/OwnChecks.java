// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.informer.Informer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The AdmissionChecks that one controller answers for, and the parameters that each refers to.
 *
 * @param <P> the parameters
 */
final class OwnChecks<P> {

  private static final String REASON_NOT_SERVED = "KindNotServed";

  private final String controllerName;
  private final Informer<AdmissionCheck> objects;
  private final ParametersLookup<P> lookup;
  private final AwaitedKinds kinds;
  private final Remarks<P> remarks;
  private final InstantSource steady;

  OwnChecks(
      String controllerName,
      Informer<AdmissionCheck> objects,
      ParametersLookup<P> lookup,
      AwaitedKinds kinds,
      Remarks<P> remarks,
      InstantSource steady) {
    this.controllerName = controllerName;
    this.objects = objects;
    this.lookup = lookup;
    this.kinds = kinds;
    this.remarks = remarks;
    this.steady = steady;
  }

  /**
   * Why a check can't work, whatever its parameters are.
   *
   * @param reason of its condition Active
   */
  record Fault(String reason, String message) {}

  /** The AdmissionCheck of this name, if this controller answers for it. */
  Optional<AdmissionCheck> find(String name) {
    return objects.get(ObjectKey.cluster(name)).filter(this::isOwn);
  }

  private boolean isOwn(AdmissionCheck check) {
    return check.spec().controllerName().equals(controllerName);
  }

  /** The AdmissionChecks whose parameters may have changed with an object of their kind. */
  List<ObjectKey> keys() {
    return objects.list().stream().filter(this::isOwn).map(AdmissionCheck::key).toList();
  }

  /** All AdmissionChecks that refer to this object, those of other controllers too. */
  List<AdmissionCheck> referringTo(ObjectKey parameters) {
    return objects.list().stream()
        .filter(check -> lookup.referenced(check).filter(parameters::equals).isPresent())
        .toList();
  }

  Optional<Fault> fault(AdmissionCheck check) {
    return kinds
        .missing()
        .map(missing -> new Fault(REASON_NOT_SERVED, missing))
        .or(() -> remarks.faultyMode(check).map(why -> new Fault(CheckMode.UNSUPPORTED, why)))
        .or(() -> remarks.faultyStage(check).map(why -> new Fault(CheckStage.UNSUPPORTED, why)));
  }

  /** The parameters that this AdmissionCheck refers to now, if the check can work at all. */
  Resolution<P> parameters(AdmissionCheck check) {
    return fault(check)
        .<Resolution<P>>map(fault -> new Resolution.Bad<>(fault.message()))
        .orElseGet(() -> referred(check));
  }

  /** The same, of a check that may not have been reconciled for long. */
  Resolution<P> parametersNow(AdmissionCheck check) {
    look();
    return parameters(check);
  }

  /** The same, whether the check can work or not. */
  Resolution<P> referred(AdmissionCheck check) {
    return lookup.of(check);
  }

  /** Looks for kinds that are missing. */
  void look() {
    kinds.look(steady);
  }

  /** When to look again, on the steady clock; empty if all kinds are read. */
  Optional<Instant> nextLook() {
    return kinds.next(steady);
  }

  boolean lackKinds() {
    return kinds.missing().isPresent();
  }
}
