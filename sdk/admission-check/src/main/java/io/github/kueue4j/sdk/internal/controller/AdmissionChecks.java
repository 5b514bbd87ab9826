// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckStatus;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.sdk.BackendHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reconciles the AdmissionCheck objects of one controller: finds them, and is the one writer of
 * their conditions. {@code Active} says whether the check can work: queues don't admit workloads
 * through a check that isn't. {@link CheckConditions} has the others.
 */
final class AdmissionChecks<P> implements Reconciler {

  static final String ACTIVE = "Active";
  private static final String REASON_ACTIVE = "Active";
  private static final String MESSAGE_ACTIVE = "The admission check is active";

  private static final String REASON_BAD_PARAMETERS = "BadParametersRef";
  private static final String REASON_NOT_SERVED = "KindNotServed";

  /** Authors write messages; the API keeps 32768 characters, people read less. */
  private static final int LONGEST_MESSAGE = 4096;

  /** How soon a refused write is tried again. */
  private static final Duration REFUSED_AGAIN = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(AdmissionChecks.class);

  private final String controllerName;
  private final Informer<AdmissionCheck> objects;
  private final ParametersLookup<P> parameters;
  private final AwaitedKinds kinds;
  private final KubernetesApi api;
  private final ServedVersion served;
  private final Remarks<P> remarks;
  private final TimeSource time;
  private final WakeUps wakeUps;
  private final OrphanScan orphanScan;
  private final Probes<P> probes;
  private final CheckConditions others;
  private final Function<List<String>, String> rbac;
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /**
   * The AdmissionChecks of one controller.
   *
   * @param rbac what grants the rights for AdmissionChecks of these names
   */
  AdmissionChecks(
      String controllerName,
      Informer<AdmissionCheck> objects,
      ParametersLookup<P> parameters,
      AwaitedKinds kinds,
      KubernetesApi api,
      ServedVersion served,
      Remarks<P> remarks,
      TimeSource time,
      WakeUps wakeUps,
      OrphanScan orphanScan,
      Probes<P> probes,
      CheckConditions others,
      Function<List<String>, String> rbac) {
    this.controllerName = controllerName;
    this.objects = objects;
    this.parameters = parameters;
    this.kinds = kinds;
    this.api = api;
    this.served = served;
    this.remarks = remarks;
    this.time = time;
    this.wakeUps = wakeUps;
    this.orphanScan = orphanScan;
    this.probes = probes;
    this.others = others;
    this.rbac = rbac;
  }

  /** The AdmissionCheck of this name, if this controller answers for it. */
  Optional<AdmissionCheck> own(String name) {
    return objects.get(ObjectKey.cluster(name)).filter(this::isOwn);
  }

  private boolean isOwn(AdmissionCheck check) {
    return check.spec().controllerName().equals(controllerName);
  }

  /** The parameters that this AdmissionCheck refers to now, if the check can work at all. */
  Resolution<P> parameters(AdmissionCheck check) {
    Optional<Resolution<P>> missing =
        kinds
            .missing()
            .or(() -> remarks.faultyMode(check))
            .or(() -> remarks.faultyStage(check))
            .map(Resolution.Bad::new);
    return missing.orElseGet(() -> parameters.of(check));
  }

  /** The same, of a check that may not have been reconciled for long. */
  Resolution<P> parametersNow(AdmissionCheck check) {
    kinds.look(time.steady());
    return parameters(check);
  }

  /** The AdmissionChecks whose parameters may have changed with an object of their kind. */
  List<ObjectKey> ownKeys() {
    return objects.list().stream().filter(this::isOwn).map(AdmissionCheck::key).toList();
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws Exception {
    Optional<AdmissionCheck> found = own(key.name());
    if (found.isPresent() && found.get().metadata().getDeletionTimestamp() == null) {
      kinds.look(time.steady());
      // Asked before the conditions are written: of a kind that has been read only after that, they
      // would say for ever that it is being read.
      Optional<Instant> look = kinds.next(time.steady());
      Optional<Instant> again = updateConditions(found.get());
      if (kinds.missing().isEmpty()) {
        orphanScan.once();
      }
      return Stream.of(
              probes.next(key.name(), parameters(found.get())),
              look,
              remarks.next(key.name(), time.steady()),
              again)
          .flatMap(Optional::stream)
          .min(Comparator.naturalOrder())
          .map(Requeue::atSteady)
          .orElseGet(Requeue::never);
    }
    refused.remove(key.name());
    return Requeue.never();
  }

  private Condition active(AdmissionCheck check) throws InterruptedException {
    Optional<String> missing = kinds.missing();
    if (missing.isPresent()) {
      return condition(check, false, REASON_NOT_SERVED, missing.get());
    }
    Optional<String> faultyMode = remarks.faultyMode(check);
    if (faultyMode.isPresent()) {
      return condition(check, false, CheckMode.UNSUPPORTED, faultyMode.get());
    }
    Optional<String> faultyStage = remarks.faultyStage(check);
    if (faultyStage.isPresent()) {
      return condition(check, false, CheckStage.UNSUPPORTED, faultyStage.get());
    }
    return switch (parameters.of(check)) {
      case Resolution.Found<P> found ->
          switch (probed(check.key().name(), found)) {
            case BackendHealth.Up up ->
                condition(check, true, REASON_ACTIVE, whileActive(check, found.value()));
            case BackendHealth.Down down ->
                condition(check, false, down.reason().value(), down.message());
          };
      case Resolution.Bad<P> bad -> condition(check, false, REASON_BAD_PARAMETERS, bad.message());
    };
  }

  private String whileActive(AdmissionCheck check, P parameters) {
    return Stream.concat(Stream.of(MESSAGE_ACTIVE), remarks.on(check, parameters).stream())
        .collect(Collectors.joining("; "));
  }

  private BackendHealth probed(String check, Resolution.Found<P> parameters)
      throws InterruptedException {
    BackendHealth health = probes.health(check, parameters);
    others.reach().probed(check, health);
    return health;
  }

  /** Returns when to look again, on the steady clock, if not only when something changes. */
  private Optional<Instant> updateConditions(AdmissionCheck check) throws InterruptedException {
    Condition active = active(check);
    List<Condition> before = check.status().conditions();
    List<Condition> withActive = Conditions.set(before, active);
    BackendCondition.Next next = others.next(check, parameters(check), withActive);
    if (active.isTrue() && Conditions.find(before, ACTIVE).filter(Condition::isFalse).isPresent()) {
      // Evaluations that the check could not answer may succeed now. Woken before the write: its
      // answer may be lost.
      wakeUps.all();
    }
    if (!next.conditions().equals(before)) {
      try {
        api.patchStatus(
            served.of(KueueTypes.ADMISSION_CHECK),
            GuardedPatch.ofStatus(
                check, check.withStatus(new AdmissionCheckStatus(next.conditions()))));
      } catch (KubernetesApiException.Forbidden e) {
        if (!e.lacksRight()) {
          throw e;
        }
        tellRefused(check, e);
        return Optional.of(time.steady().instant().plus(REFUSED_AGAIN));
      }
      refused.remove(check.key().name());
      if (!withActive.equals(before)) {
        tellActive(check, before, active);
      }
      others.written(check, before, next);
    }
    return Optional.ofNullable(next.again());
  }

  /** Once, until it is written: nothing changes before an administrator grants the right. */
  private void tellRefused(AdmissionCheck check, KubernetesApiException.Forbidden cause) {
    String name = check.key().name();
    if (refused.add(name)) {
      boolean active = Conditions.isTrue(check.status().conditions(), ACTIVE);
      log.atWarn()
          .addKeyValue("check", name)
          .addKeyValue("cause", cause.getMessage())
          .addKeyValue(
              "remedy", rbac.apply(ownKeys().stream().map(ObjectKey::name).sorted().toList()))
          .log(
              active
                  ? "The account may not write the status of the AdmissionCheck, which gets old"
                  : "The account may not write the status of the AdmissionCheck: no Workload gets"
                      + " quota in a queue that asks it");
    }
  }

  private void tellActive(AdmissionCheck check, List<Condition> before, Condition active) {
    boolean lost = !active.isTrue() && Conditions.isTrue(before, ACTIVE);
    log.atLevel(lost ? Level.WARN : Level.INFO)
        .addKeyValue("check", check.key().name())
        .addKeyValue("active", active.status())
        .addKeyValue("message", active.message())
        .log(
            lost
                ? "The AdmissionCheck is no longer Active"
                : "Wrote the Active condition of the AdmissionCheck");
  }

  private Condition condition(AdmissionCheck check, boolean holds, String reason, String message) {
    return new Condition(
        ACTIVE,
        holds ? Condition.TRUE : Condition.FALSE,
        reason,
        cut(message),
        time.instant(),
        check.metadata().getGeneration());
  }

  /** As much of an author's message as people read. */
  static String cut(String message) {
    if (message.length() <= LONGEST_MESSAGE) {
      return message;
    }
    boolean within = Character.isHighSurrogate(message.charAt(LONGEST_MESSAGE - 1));
    return message.substring(0, within ? LONGEST_MESSAGE - 1 : LONGEST_MESSAGE) + " ...";
  }
}
