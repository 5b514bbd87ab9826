// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.github.kueue4j.api.time.GoDuration;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * When an AdmissionCheck is asked: the annotation {@value #ANNOTATION} of the AdmissionCheck, an
 * extension of kueue4j. An annotation for the reason that {@link CheckMode} is one. A check in the
 * mode {@link CheckMode#OBSERVE} is asked with quota, whatever its stage.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CheckStage {
  /** While quota is reserved; so it is unless said. */
  WITH_QUOTA("WithQuota"),
  /** Also before, while the Workload waits: no quota is reserved before the check says Ready. */
  BEFORE_QUOTA("BeforeQuota");

  /** The key of the annotation. */
  public static final String ANNOTATION = "kueue4j.io/stage";

  /** The key of the annotation that says how long a Ready before quota counts. */
  public static final String READY_FOR = "kueue4j.io/ready-for";

  /** How long a Ready before quota counts unless said. */
  public static final Duration DEFAULT_READY_FOR = Duration.ofHours(1);

  /** The shortest time for which a Ready may count: it has to outlive the way to the quota. */
  public static final Duration SHORTEST_READY_FOR = Duration.ofMinutes(1);

  /** The longest time for which a Ready may count: a week. */
  public static final Duration LONGEST_READY_FOR = Duration.ofDays(7);

  /** The reason of the condition Active of a check that can't work in the stage it was given. */
  public static final String UNSUPPORTED = "UnsupportedStage";

  /** The reason of QuotaReserved=False while checks are asked before quota. */
  public static final String WAITING_FOR_CHECKS = "WaitingForChecks";

  private final String value;

  CheckStage(String value) {
    this.value = value;
  }

  /** Whether the check is asked before quota. */
  public static boolean beforeQuota(AdmissionCheck check) {
    return isSetBeforeQuota(check) && !CheckMode.observes(check);
  }

  /** Whether the annotation says so, whatever the mode. */
  public static boolean isSetBeforeQuota(AdmissionCheck check) {
    return BEFORE_QUOTA.value.equals(annotation(check, ANNOTATION));
  }

  /** Whether it says how long a Ready before quota counts, and isn't asked before quota. */
  public static boolean readyForIsUnused(AdmissionCheck check) {
    return !annotation(check, READY_FOR).isEmpty() && !isSetBeforeQuota(check);
  }

  /** How long a Ready before quota counts; the default where the annotation can't be read. */
  public static Duration readyFor(AdmissionCheck check) {
    return read(check).orElse(DEFAULT_READY_FOR);
  }

  /** The problem with the annotations, with field, value and remedy; empty if nothing is. */
  public static Optional<String> problem(AdmissionCheck check) {
    String stage = annotation(check, ANNOTATION);
    if (!stage.isEmpty() && !stage.equals(BEFORE_QUOTA.value) && !stage.equals(WITH_QUOTA.value)) {
      return Optional.of(
          field(ANNOTATION, stage)
              + ", which is no stage: write BeforeQuota or WithQuota, or leave it out, which means"
              + " WithQuota");
    }
    String readyFor = annotation(check, READY_FOR);
    return readyFor.isEmpty() || read(check).isPresent()
        ? Optional.empty()
        : Optional.of(
            field(READY_FOR, readyFor)
                + ", which is no duration from 1m to 168h: write one, such as 10m, or leave it out,"
                + " which means 1h");
  }

  /**
   * Whether the core asks checks about a Workload that waits, as it is now: QuotaReserved is False
   * for that reason, about this generation of the spec.
   */
  public static boolean asks(Workload workload) {
    return workload
        .conditions()
        .notReserved()
        .filter(condition -> condition.reason().equals(WAITING_FOR_CHECKS))
        .filter(
            condition ->
                Objects.equals(condition.observedGeneration(), workload.metadata().getGeneration()))
        .isPresent();
  }

  private static Optional<Duration> read(AdmissionCheck check) {
    return Optional.of(annotation(check, READY_FOR))
        .filter(GoDuration::isDuration)
        .map(GoDuration::parse)
        .filter(duration -> duration.compareTo(SHORTEST_READY_FOR) >= 0)
        .filter(duration -> duration.compareTo(LONGEST_READY_FOR) <= 0);
  }

  private static String field(String key, String value) {
    return "metadata.annotations['" + key + "'] is '" + InvalidFieldException.cut(value) + "'";
  }

  private static String annotation(AdmissionCheck check, String key) {
    Map<String, String> annotations = Metadata.annotations(check);
    return annotations.getOrDefault(key, "");
  }
}
