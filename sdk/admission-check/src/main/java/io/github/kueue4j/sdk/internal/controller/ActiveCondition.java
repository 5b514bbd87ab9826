// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.sdk.BackendHealth;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The condition {@code Active}, which says whether a check can work: queues don't admit workloads
 * through a check that isn't.
 */
final class ActiveCondition<P> {

  static final String TYPE = "Active";

  private static final String REASON_ACTIVE = "Active";
  private static final String MESSAGE_ACTIVE = "The admission check is active";
  private static final String REASON_BAD_PARAMETERS = "BadParametersRef";

  /** Authors write messages; the API keeps 32768 characters, people read less. */
  private static final int LONGEST_MESSAGE = 4096;

  private final OwnChecks<P> own;
  private final Remarks<P> remarks;
  private final Probes<P> probes;
  private final BackendReach reach;
  private final TimeSource time;

  ActiveCondition(
      OwnChecks<P> own, Remarks<P> remarks, Probes<P> probes, BackendReach reach, TimeSource time) {
    this.own = own;
    this.remarks = remarks;
    this.probes = probes;
    this.reach = reach;
    this.time = time;
  }

  /** As it should stand on this AdmissionCheck. */
  Condition of(AdmissionCheck check) throws InterruptedException {
    Optional<OwnChecks.Fault> fault = own.fault(check);
    if (fault.isPresent()) {
      return condition(check, false, fault.get().reason(), fault.get().message());
    }
    return switch (own.referred(check)) {
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
    reach.probed(check, health);
    return health;
  }

  /** When it may be another, on the steady clock, if not only when something changes. */
  Optional<Instant> next(AdmissionCheck check) {
    String name = check.key().name();
    return Stream.of(probes.next(name, own.parameters(check)), remarks.next(name, time.steady()))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private Condition condition(AdmissionCheck check, boolean holds, String reason, String message) {
    return new Condition(
        TYPE,
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
