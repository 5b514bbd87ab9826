/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.lifecycle.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.QueueFacts;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Sightings;
import io.github.kueue4j.core.lifecycle.Situation;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything there is at one moment. An immutable value: a step makes another world.
 *
 * @param rules what doesn't change
 * @param seconds the time since the world began
 * @param workload the stored object
 * @param version its resourceVersion
 * @param running whether the owner runs
 * @param clusterQueue the stop policy of the ClusterQueue
 * @param core what the core remembers
 * @param checks what each check's controller remembers, by name
 * @param left how often each actor may still step, by actor
 * @param ghost what only an observer knows
 */
record World(
    Rules rules,
    int seconds,
    Workload workload,
    int version,
    boolean running,
    StopPolicy clusterQueue,
    Core core,
    SortedMap<String, Token> checks,
    SortedMap<String, Integer> left,
    Ghost ghost) {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /**
   * The core's memory: sightings, and the object it has read but not yet acted upon. Whatever is
   * written in between makes that read stale.
   */
  record Core(Sightings sightings, @Nullable Workload read, int readVersion) {
    static final Core EMPTY = new Core(Sightings.none(), null, 0);

    Core knowing(Sightings sightings) {
      return new Core(sightings, null, 0);
    }
  }

  /**
   * What a check's evaluation began with: the reservation and its own entry.
   *
   * @param reservedAt QuotaReserved's lastTransitionTime, by which a reservation is known
   * @param reservation which reservation it really was; only an observer can tell
   */
  record Token(Instant reservedAt, AdmissionCheckState entry, int reservation) {}

  /**
   * What must hold but is written nowhere.
   *
   * @param notBefore per check: before this second no quota may be reserved, by its last word
   * @param podsNotBefore the same after a pods-ready timeout
   * @param reservations how often quota was reserved
   * @param readyFor per check that uses the SDK: the reservation it was asked for when it answered
   *     Ready
   */
  record Ghost(
      SortedMap<String, Integer> notBefore,
      int podsNotBefore,
      int reservations,
      SortedMap<String, Integer> readyFor) {
    static final Ghost NONE = new Ghost(new TreeMap<>(), 0, 0, new TreeMap<>());

    Ghost word(String check, int notBefore) {
      return new Ghost(
          with(this.notBefore, check, notBefore), podsNotBefore, reservations, readyFor);
    }

    Ghost ready(String check, int reservation) {
      return new Ghost(notBefore, podsNotBefore, reservations, with(readyFor, check, reservation));
    }

    Ghost podsNotBefore(int second) {
      return new Ghost(notBefore, Math.max(podsNotBefore, second), reservations, readyFor);
    }

    Ghost withoutDelays() {
      return new Ghost(new TreeMap<>(), 0, reservations, readyFor);
    }

    Ghost reserved() {
      return new Ghost(notBefore, podsNotBefore, reservations + 1, readyFor);
    }

    /** Whether the check's last Ready is for the reservation that holds now. */
    boolean isReadyNow(String check) {
      return Integer.valueOf(reservations).equals(readyFor.get(check));
    }
  }

  static World initial(Rules rules) {
    Workload workload =
        Workload.named("ns", "wl")
            .withMetadata(
                new V1ObjectMeta().namespace("ns").name("wl").uid("uid-1").generation(1L));
    return new World(
        rules,
        0,
        workload,
        1,
        false,
        StopPolicy.NONE,
        Core.EMPTY,
        new TreeMap<>(),
        new TreeMap<>(rules.budgets()),
        Ghost.NONE);
  }

  static <V> SortedMap<String, V> with(SortedMap<String, V> map, String key, V value) {
    SortedMap<String, V> changed = new TreeMap<>(map);
    changed.put(key, value);
    return Collections.unmodifiableSortedMap(changed);
  }

  static <V> SortedMap<String, V> without(SortedMap<String, V> map, String key) {
    SortedMap<String, V> changed = new TreeMap<>(map);
    changed.remove(key);
    return Collections.unmodifiableSortedMap(changed);
  }

  // --- reading --------------------------------------------------------------------------------

  Instant now() {
    return START.plusSeconds(seconds);
  }

  /** Half a second into the present second: the core's clock is finer than the API's times. */
  Instant coreNow() {
    return now().plusMillis(rules.coreClockMillis());
  }

  Phase phase() {
    return situation(workload).phase();
  }

  Situation situation(Workload read) {
    return Situation.of(
            read,
            QueueFacts.running("lq"),
            clusterQueue.equals(StopPolicy.NONE)
                ? QueueFacts.running("cq")
                : QueueFacts.stopped("cq", clusterQueue),
            RequiredChecks.of(rules.checks()))
        .withOwner(running ? Owner.RUNNING : Owner.STOPPED)
        .withSettings(rules.settings())
        .withSightings(core.sightings());
  }

  boolean reserved() {
    return Conditions.isTrue(workload.status().conditions(), WorkloadConditions.QUOTA_RESERVED);
  }

  boolean admitted() {
    return Conditions.isTrue(workload.status().conditions(), WorkloadConditions.ADMITTED);
  }

  Instant reservedAt() {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.QUOTA_RESERVED)
        .map(Condition::lastTransitionTime)
        .orElse(Instant.EPOCH);
  }

  Optional<AdmissionCheckState> entry(String check) {
    return workload.status().admissionCheck(check);
  }

  boolean may(String actor) {
    return left.getOrDefault(actor, 0) > 0;
  }

  int secondsOf(Instant instant) {
    return (int) Duration.between(START, instant).toSeconds();
  }

  // --- stepping -------------------------------------------------------------------------------

  World spend(String actor) {
    return new World(
        rules,
        seconds,
        workload,
        version,
        running,
        clusterQueue,
        core,
        checks,
        with(left, actor, left.getOrDefault(actor, 0) - 1),
        ghost);
  }

  World tick(int by) {
    return new World(
        rules, seconds + by, workload, version, running, clusterQueue, core, checks, left, ghost);
  }

  World write(Workload changed) {
    return new World(
        rules, seconds, changed, version + 1, running, clusterQueue, core, checks, left, ghost);
  }

  World writeEntry(AdmissionCheckState entry) {
    return write(workload.withStatus(workload.status().withAdmissionCheck(entry)));
  }

  World withRunning(boolean running) {
    return new World(
        rules, seconds, workload, version, running, clusterQueue, core, checks, left, ghost);
  }

  World withClusterQueue(StopPolicy policy) {
    return new World(rules, seconds, workload, version, running, policy, core, checks, left, ghost);
  }

  World withCore(Core core) {
    return new World(
        rules, seconds, workload, version, running, clusterQueue, core, checks, left, ghost);
  }

  World withChecks(SortedMap<String, Token> checks) {
    return new World(
        rules, seconds, workload, version, running, clusterQueue, core, checks, left, ghost);
  }

  World withGhost(Ghost ghost) {
    return new World(
        rules, seconds, workload, version, running, clusterQueue, core, checks, left, ghost);
  }

  // --- identity -------------------------------------------------------------------------------

  /** All that decides what can happen from here; messages and statistics don't. */
  String key() {
    StringBuilder key = appendFate(new StringBuilder(256));
    Workload read = core.read();
    if (read != null) {
      if (core.readVersion() == version) {
        key.append('=');
      } else {
        append(key.append("old "), read);
      }
    }
    checks.forEach(
        (name, token) -> {
          key.append(name)
              .append(secondsOf(token.reservedAt()))
              .append(token.reservation() == ghost.reservations());
          append(key, token.entry());
        });
    return key.append('|').append(left).toString();
  }

  /** All that decides what becomes of it if nobody makes trouble. */
  String fate() {
    return appendFate(new StringBuilder(256)).toString();
  }

  private StringBuilder appendFate(StringBuilder key) {
    key.append(seconds).append('|');
    append(key, workload);
    key.append('|').append(running).append(clusterQueue).append('|');
    key.append('|').append(core.sightings().restarted());
    core.sightings()
        .retries()
        .forEach(
            (name, retry) ->
                key.append(name)
                    .append(secondsOf(retry.identity()))
                    .append('>')
                    .append(retry.recorded() == null ? "" : secondsOf(retry.recorded()))
                    .append('>')
                    .append(secondsOf(retry.base())));
    if (rules.pendingTimeout()) {
      core.sightings()
          .waits()
          .forEach((name, wait) -> key.append(name).append(secondsOf(wait.since())));
    }
    key.append('|').append(ghost.notBefore()).append(ghost.podsNotBefore());
    // Which reservation it is matters only in relation to the words that were given for one.
    ghost.readyFor().keySet().stream().filter(ghost::isReadyNow).forEach(key::append);
    return key.append('|');
  }

  private void append(StringBuilder key, Workload object) {
    key.append(object.spec().active() ? 'a' : 'i');
    key.append(object.status().admission() == null ? '-' : '+');
    for (Condition condition : object.status().conditions()) {
      key.append(condition.type(), 0, 2)
          .append(condition.status().charAt(0))
          .append(condition.reason())
          .append(secondsOf(condition.lastTransitionTime()))
          .append(',');
    }
    RequeueState requeue = object.status().requeueState();
    if (requeue != null) {
      key.append(requeue.count()).append('@');
      Instant at = requeue.requeueAt();
      key.append(at == null ? "" : secondsOf(at));
    }
    for (AdmissionCheckState entry : object.status().admissionChecks()) {
      append(key, entry);
    }
  }

  private void append(StringBuilder key, AdmissionCheckState entry) {
    key.append(entry.name())
        .append(entry.state().value(), 0, 3)
        .append(secondsOf(entry.lastTransitionTime()))
        .append('+')
        .append(entry.requeueAfterSeconds())
        .append('#')
        .append(entry.retryCount());
  }

  /** For the trace of a violation. */
  @Override
  public String toString() {
    return seconds + " s " + phase() + (running ? " running " : " ") + clusterQueue + " " + key();
  }
}
