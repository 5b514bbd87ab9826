// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reconciles the AdmissionCheck objects of one controller: finds them, and is the one writer of
 * their conditions: {@link ActiveCondition}, and those of {@link CheckConditions}.
 */
final class AdmissionChecks<P> implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(AdmissionChecks.class);

  private final OwnChecks<P> own;
  private final ActiveCondition<P> activeCondition;
  private final CheckConditions others;
  private final CheckStatusWriter writer;
  private final WakeUps wakeUps;
  private final OrphanScan orphanScan;

  AdmissionChecks(
      OwnChecks<P> own,
      ActiveCondition<P> activeCondition,
      CheckConditions others,
      CheckStatusWriter writer,
      WakeUps wakeUps,
      OrphanScan orphanScan) {
    this.own = own;
    this.activeCondition = activeCondition;
    this.others = others;
    this.writer = writer;
    this.wakeUps = wakeUps;
    this.orphanScan = orphanScan;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws Exception {
    Optional<AdmissionCheck> found = own.find(key.name());
    if (found.isPresent() && found.get().metadata().getDeletionTimestamp() == null) {
      own.look();
      // Asked before the conditions are written: of a kind that has been read only after that, they
      // would say for ever that it is being read.
      Optional<Instant> look = own.nextLook();
      Optional<Instant> again = updateConditions(found.get());
      if (!own.lackKinds()) {
        orphanScan.once();
      }
      return Stream.of(activeCondition.next(found.get()), look, again)
          .flatMap(Optional::stream)
          .min(Comparator.naturalOrder())
          .map(Requeue::atSteady)
          .orElseGet(Requeue::never);
    }
    writer.forget(key.name());
    return Requeue.never();
  }

  /** Returns when to look again, on the steady clock, if not only when something changes. */
  private Optional<Instant> updateConditions(AdmissionCheck check) throws InterruptedException {
    Condition active = activeCondition.of(check);
    List<Condition> before = check.status().conditions();
    List<Condition> withActive = Conditions.set(before, active);
    BackendCondition.Next next = others.next(check, own.parameters(check), withActive);
    if (active.isTrue()
        && Conditions.find(before, ActiveCondition.TYPE).filter(Condition::isFalse).isPresent()) {
      // Evaluations that the check could not answer may succeed now. Woken before the write: its
      // answer may be lost.
      wakeUps.all();
    }
    if (!next.conditions().equals(before)) {
      Optional<Instant> again = writer.write(check, next.conditions());
      if (again.isPresent()) {
        return again;
      }
      if (!withActive.equals(before)) {
        tellActive(check, before, active);
      }
      others.written(check, before, next);
    }
    return Optional.ofNullable(next.again());
  }

  private void tellActive(AdmissionCheck check, List<Condition> before, Condition active) {
    boolean lost = !active.isTrue() && Conditions.isTrue(before, ActiveCondition.TYPE);
    log.atLevel(lost ? Level.WARN : Level.INFO)
        .addKeyValue("check", check.key().name())
        .addKeyValue("active", active.status())
        .addKeyValue("message", active.message())
        .log(
            lost
                ? "The AdmissionCheck is no longer Active"
                : "Wrote the Active condition of the AdmissionCheck");
  }
}
