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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Competes for a Lease, once: candidate, then leader, then over.
 *
 * <p>Rejected: the client library's elector. After a lost lease it only calls a hook, and the
 * controllers that it ran can't be run again, so that the process stays around as a leader that
 * does nothing; a request that hangs keeps it from noticing that its time is up. Here the deadline
 * is a timer of its own, the lease is written with guarded patches, and losing it is final.
 */
final class LeaseElector implements AutoCloseable {

  /**
   * Told about leadership, each at most once and on the elector's or a timer's thread: be short.
   */
  interface Listener {
    void acquired();

    /**
     * Leadership is over.
     *
     * @param left how long nobody else can lead yet; zero if somebody may lead already
     */
    void lost(String why, Duration left);
  }

  private enum State {
    CANDIDATE,
    LEADER,
    OVER
  }

  private static final Logger log = LoggerFactory.getLogger(LeaseElector.class);

  private final LeaderElection spec;
  private final TimeSource time;
  private final ApiTransport transport;
  private final KubernetesApi api;
  private final Listener listener;
  private final Thread thread;

  // All guarded by this object's monitor.
  private State state = State.CANDIDATE;
  private boolean closing;
  private @Nullable Instant lastContact;
  private Cancellable deadline = () -> {};
  private String lastError = "";

  /** Only used by the elector's own thread. */
  private LeaseDecision.@Nullable Sighting sighting;

  LeaseElector(ClusterConnection connection, LeaderElection spec, Listener listener) {
    this.spec = spec;
    this.time = connection.wireTime();
    this.transport = connection.urgentCallsOf(this, spec.renewDeadline());
    this.api = new HttpApi(transport);
    this.listener = listener;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("kueue4j-lease-" + spec.lease().name())
            .unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  synchronized boolean leading() {
    return state == State.LEADER;
  }

  /** Why the lease is no use right now; empty if the server answered within a lease's duration. */
  synchronized Optional<String> problem() {
    if (lastContact != null
        && Duration.between(lastContact, time.instant()).compareTo(spec.leaseDuration()) <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        "lease "
            + spec.lease()
            + " is out of reach"
            + (lastError.isEmpty() ? "" : ": " + lastError));
  }

  private void run() {
    try {
      while (!isOver()) {
        round();
        if (!WireWait.pause(time, spec.retryPeriod())) {
          lose("the connection was closed", untilOthersMayLead());
        }
      }
    } catch (InterruptedException ended) {
      // Only close() interrupts this thread; nothing is left to do.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isOver() {
    return closing || state == State.OVER;
  }

  /** One attempt to renew or take the lease. */
  private void round() {
    Instant began = time.instant();
    try {
      LeaseDecision decision = attempt();
      contact();
      switch (decision) {
        case LeaseDecision.Held held -> {
          if (leading()) {
            lose("it was taken by " + held.holder(), Duration.ZERO);
          }
        }
        case LeaseDecision.Renew renew -> won(began);
        case LeaseDecision.Take take -> won(began);
      }
    } catch (KubernetesApiException.Conflict | KubernetesApiException.AlreadyExists e) {
      // Another replica was faster; the next round sees what it wrote.
      contact();
    } catch (RuntimeException e) {
      // Whatever it is: this thread must live on, or the replica would stand by for ever.
      failed(HttpApi.describe(e));
    }
  }

  /** Reads the lease and writes it if it is ours to write; returns what was decided (and done). */
  private LeaseDecision attempt() {
    Instant now = time.instant();
    Optional<V1Lease> existing = api.get(CoreTypes.LEASE, spec.lease());
    if (existing.isEmpty()) {
      api.create(CoreTypes.LEASE, fresh(now));
      return new LeaseDecision.Take();
    }
    V1Lease lease = existing.get();
    sighting = LeaseDecision.Sighting.of(lease, sighting, now);
    LeaseDecision decision = LeaseDecision.decide(sighting, lasts(lease), spec.identity(), now);
    switch (decision) {
      case LeaseDecision.Held held -> {}
      case LeaseDecision.Renew renew -> write(lease, now, false);
      case LeaseDecision.Take take -> {
        if (leading()) {
          // Emptied or expired under us: somebody stole it and let go. We were not leading then.
          return new LeaseDecision.Held("nobody");
        }
        write(lease, now, true);
      }
    }
    return decision;
  }

  private Duration lasts(V1Lease lease) {
    @Nullable Integer seconds =
        lease.getSpec() == null ? null : lease.getSpec().getLeaseDurationSeconds();
    return seconds == null ? spec.leaseDuration() : Duration.ofSeconds(seconds);
  }

  private V1Lease fresh(Instant now) {
    var lease =
        new V1Lease()
            .metadata(
                new V1ObjectMeta().namespace(spec.lease().namespace()).name(spec.lease().name()))
            .spec(new V1LeaseSpec().leaseTransitions(0));
    hold(lease.getSpec(), now, true);
    return lease;
  }

  private void write(V1Lease before, Instant now, boolean taking) {
    V1Lease after = copy(before);
    hold(after.getSpec(), now, taking);
    if (taking) {
      @Nullable Integer transitions = after.getSpec().getLeaseTransitions();
      after.getSpec().setLeaseTransitions(transitions == null ? 1 : transitions + 1);
    }
    api.patch(CoreTypes.LEASE, GuardedPatch.between(before, after));
  }

  private void hold(V1LeaseSpec lease, Instant now, boolean taking) {
    var stamp = now.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    lease.setHolderIdentity(spec.identity());
    lease.setLeaseDurationSeconds(Math.toIntExact(spec.leaseDuration().toSeconds()));
    lease.setRenewTime(stamp);
    if (taking) {
      lease.setAcquireTime(stamp);
    }
  }

  private static V1Lease copy(V1Lease lease) {
    V1Lease copy = KueueJson.fromTree(KueueJson.toTree(lease), V1Lease.class);
    if (copy.getSpec() == null) {
      copy.setSpec(new V1LeaseSpec());
    }
    return copy;
  }

  private synchronized void contact() {
    lastContact = time.instant();
    lastError = "";
  }

  private void failed(String why) {
    synchronized (this) {
      if (closing) {
        return;
      }
      lastError = why;
    }
    log.atWarn()
        .addKeyValue("lease", spec.lease())
        .addKeyValue("cause", why)
        .log("The lease could not be read or written; it will be tried again");
  }

  /** The lease is ours, counted from before the request was sent. */
  private void won(Instant began) {
    boolean first;
    synchronized (this) {
      if (state == State.OVER || closing) {
        return;
      }
      first = state == State.CANDIDATE;
      state = State.LEADER;
      deadline.cancel();
      deadline =
          time.at(
              began.plus(spec.renewDeadline()),
              () ->
                  lose(
                      "it could not be renewed within " + spec.renewDeadline().toSeconds() + " s",
                      untilOthersMayLead()));
    }
    if (first) {
      log.atInfo()
          .addKeyValue("lease", spec.lease())
          .addKeyValue("identity", spec.identity())
          .log("This replica leads");
      listener.acquired();
    }
  }

  private Duration untilOthersMayLead() {
    return spec.leaseDuration().minus(spec.renewDeadline());
  }

  private void lose(String why, Duration left) {
    boolean led;
    synchronized (this) {
      if (state == State.OVER || closing) {
        return;
      }
      led = state == State.LEADER;
      state = State.OVER;
      deadline.cancel();
    }
    if (led) {
      listener.lost(why, left);
    }
  }

  /** Ends the competition; a lease that we hold is given back. */
  @Override
  public void close() {
    end(true);
  }

  /** Ends the competition as a kill would: a lease that we hold stays ours until it expires. */
  void abandon() {
    end(false);
  }

  private void end(boolean givingBack) {
    boolean leads;
    synchronized (this) {
      closing = true;
      leads = state == State.LEADER;
      state = State.OVER;
      deadline.cancel();
    }
    thread.interrupt();
    transport.cancelAll();
    if (Thread.currentThread() != thread) {
      join();
    }
    if (leads && givingBack) {
      release();
    }
  }

  private void join() {
    try {
      while (thread.isAlive()) {
        // Cancel again: a request may have begun after the first time.
        transport.cancelAll();
        thread.join(Duration.ofMillis(50));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void release() {
    try {
      Optional<V1Lease> current = api.get(CoreTypes.LEASE, spec.lease());
      if (current.isPresent()
          && current.get().getSpec() != null
          && spec.identity().equals(current.get().getSpec().getHolderIdentity())) {
        V1Lease after = copy(current.get());
        after.getSpec().setHolderIdentity("");
        api.patch(CoreTypes.LEASE, GuardedPatch.between(current.get(), after));
      }
    } catch (KubernetesApiException e) {
      log.atInfo()
          .addKeyValue("lease", spec.lease())
          .addKeyValue("cause", HttpApi.describe(e))
          .log("The lease could not be given back; it will expire");
    }
  }
}
