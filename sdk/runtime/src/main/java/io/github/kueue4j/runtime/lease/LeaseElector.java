// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.lease;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.TimedWait;
import io.github.kueue4j.runtime.client.ApiTransport;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.FailedRequest;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Competes for a Lease, once: first as candidate, then as leader, then it ends.
 *
 * <p>Rejected: the client library's elector. After a lost lease it only calls a hook; its
 * controllers can't be restarted, so that the process may become a leader that does nothing. And
 * while a request hangs, it doesn't notice that its deadline has passed. Here the deadline has its
 * own timer, the lease is written with guarded patches, and losing it is final.
 */
@API(status = API.Status.INTERNAL)
public final class LeaseElector implements AutoCloseable {

  /**
   * Callbacks about leadership, each called at most once, on the elector's or a timer's thread;
   * they must be short.
   */
  public interface Listener {
    void acquired();

    /**
     * This replica no longer leads.
     *
     * @param left the time until another replica can lead; zero if one may lead already
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

  /** For the times in the Lease, which others read but this class doesn't. */
  private final InstantSource wallClock;

  private final ApiTransport transport;
  private final KubernetesApi api;
  private final Listener listener;
  private final Thread thread;

  // All guarded by this object's monitor.
  private State state = State.CANDIDATE;
  private boolean closing;
  private boolean mayHold; // Asked for the lease, whether or not the answer has arrived.
  private @Nullable Instant lastContact;
  private Cancellable deadline = () -> {};
  private Instant validUntil = Instant.MIN;
  private String lastError = "";

  /** Only used by the elector's own thread. */
  private LeaseDecision.@Nullable ObservedLease observedLease;

  /** Only used by the elector's own thread: the holder that was told last. */
  private String waitsFor = "";

  public LeaseElector(ClusterConnection connection, LeaderElection spec, Listener listener) {
    this.spec = spec;
    this.time = connection.wireTime();
    this.wallClock = connection.wallClock();
    this.transport = connection.urgentCallsOf(this, spec.renewDeadline());
    this.api = transport.api();
    this.listener = listener;
    this.thread =
        connection
            .threads()
            .daemons()
            .name("kueue4j-lease-" + spec.lease().name())
            .uncaughtExceptionHandler(connection.fatalErrors())
            .unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  synchronized boolean leading() {
    return state == State.LEADER;
  }

  /**
   * Whether a write that is sent now arrives while no other replica can lead. Computed from the
   * time and not from the state, because a process that was stopped hasn't noticed the loss yet.
   */
  public synchronized boolean holdsLease() {
    return time.instant().isBefore(validUntil);
  }

  /**
   * Why the lease can't be renewed or taken now; empty if the server answered within a lease's
   * duration.
   */
  public synchronized Optional<String> problem() {
    if (lastContact != null
        && Duration.between(lastContact, time.instant()).compareTo(spec.leaseDuration()) <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        "lease "
            + spec.lease()
            + " can't be read or written"
            + (lastError.isEmpty() ? "" : ": " + lastError));
  }

  private void run() {
    try {
      while (!isOver()) {
        round();
        if (!TimedWait.pause(time, untilNextRound())) {
          lose("the connection was closed", untilOthersMayLead());
        }
      }
    } catch (InterruptedException ended) {
      // Only close() interrupts this thread.
      Thread.currentThread().interrupt();
    }
  }

  private Duration untilNextRound() {
    return leading()
        ? spec.retryPeriod()
        : LeaseDecision.untilNextLook(observedLease, spec.retryPeriod(), time.instant());
  }

  private synchronized boolean isOver() {
    return closing || state == State.OVER;
  }

  /** One attempt to renew or take the lease. */
  private void round() {
    try {
      Optional<V1Lease> existing = api.get(CoreTypes.LEASE, spec.lease());
      // After the read, since others' leases are counted from when they were seen, and before the
      // write, since others count ours from then on.
      Instant now = time.instant();
      LeaseDecision decision = attempt(existing, now);
      contact();
      switch (decision) {
        case LeaseDecision.Held held -> {
          if (leading()) {
            lose("its holder is now \"" + held.holder() + '"', Duration.ZERO);
          } else {
            waits(held.holder());
          }
        }
        case LeaseDecision.Renew renew -> won(now);
        case LeaseDecision.Take take -> won(now);
      }
    } catch (KubernetesApiException.Conflict | KubernetesApiException.AlreadyExists e) {
      // Another replica wrote the lease first; the next round reads its state.
      contact();
    } catch (RuntimeException e) {
      // Keep this thread running after any exception, or this replica would never lead.
      failed(FailedRequest.describe(e));
    }
  }

  /** Once for each holder. */
  private void waits(String holder) {
    if (!holder.equals(waitsFor)) {
      waitsFor = holder;
      log.atInfo()
          .addKeyValue("lease", spec.lease())
          .addKeyValue("holder", holder)
          .log("Waits for the lease, which another replica holds");
    }
  }

  /** Writes the lease if this replica may; returns the decision that was carried out. */
  private LeaseDecision attempt(Optional<V1Lease> existing, Instant now) {
    if (existing.isEmpty()) {
      if (observedLease != null
          && LeaseDecision.decide(observedLease, spec.identity(), now)
              instanceof LeaseDecision.Held held) {
        return held; // Deleted: its holder leads until it looks, at most until it would expire.
      }
      taking();
      api.create(CoreTypes.LEASE, fresh());
      return new LeaseDecision.Take();
    }
    V1Lease lease = existing.get();
    observedLease = LeaseDecision.ObservedLease.of(lease, observedLease, spec.leaseDuration(), now);
    LeaseDecision decision = LeaseDecision.decide(observedLease, spec.identity(), now);
    switch (decision) {
      case LeaseDecision.Held held -> {}
      case LeaseDecision.Renew renew -> {
        taking();
        write(lease, false);
      }
      case LeaseDecision.Take take -> {
        if (leading()) {
          // The lease was emptied or has expired although this replica leads: another writer
          // changed it.
          return new LeaseDecision.Held("");
        }
        taking();
        write(lease, true);
      }
    }
    return decision;
  }

  private synchronized void taking() {
    mayHold = true;
  }

  private V1Lease fresh() {
    var lease =
        new V1Lease()
            .metadata(
                new V1ObjectMeta().namespace(spec.lease().namespace()).name(spec.lease().name()))
            .spec(new V1LeaseSpec().leaseTransitions(0));
    hold(lease.getSpec(), true);
    return lease;
  }

  private void write(V1Lease before, boolean taking) {
    V1Lease after = copy(before);
    hold(after.getSpec(), taking);
    if (taking) {
      @Nullable Integer transitions = after.getSpec().getLeaseTransitions();
      after.getSpec().setLeaseTransitions(transitions == null ? 1 : transitions + 1);
    }
    api.patch(CoreTypes.LEASE, GuardedPatch.between(before, after));
  }

  private void hold(V1LeaseSpec lease, boolean taking) {
    var stamp = wallClock.instant().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
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
    boolean told;
    synchronized (this) {
      if (closing) {
        return;
      }
      told = why.equals(lastError);
      lastError = why;
    }
    log.atLevel(told ? Level.DEBUG : Level.WARN)
        .addKeyValue("lease", spec.lease())
        .addKeyValue("cause", why)
        .log("The lease could not be read or written; retrying");
  }

  /** This replica holds the lease, counted from the time before it was written. */
  private void won(Instant written) {
    boolean first;
    synchronized (this) {
      if (state == State.OVER || closing) {
        return;
      }
      first = state == State.CANDIDATE;
      state = State.LEADER;
      validUntil = written.plus(spec.renewDeadline()).plus(untilOthersMayLead().dividedBy(2));
      deadline.cancel();
      deadline =
          time.at(
              written.plus(spec.renewDeadline()),
              () ->
                  lose(
                      "it could not be renewed within " + spec.renewDeadline().toSeconds() + " s",
                      untilOthersMayLead()));
    }
    if (first) {
      log.atInfo()
          .addKeyValue("lease", spec.lease())
          .addKeyValue("identity", spec.identity())
          .log("Acquired the lease; this replica leads");
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
      if (left.isZero()) {
        validUntil = Instant.MIN;
      }
      deadline.cancel();
    }
    if (led) {
      listener.lost(why, left);
    }
  }

  /** Stops competing and releases the lease if it is held, or may be. */
  @Override
  public void close() {
    end(true);
  }

  /** Stops competing without releasing a held lease, like a killed process. */
  public void abandon() {
    end(false);
  }

  private void end(boolean givingBack) {
    boolean holds;
    synchronized (this) {
      closing = true;
      holds = mayHold && state != State.OVER;
      state = State.OVER;
      validUntil = Instant.MIN;
      deadline.cancel();
    }
    thread.interrupt();
    transport.cancelAll();
    if (Thread.currentThread() != thread) {
      join();
    }
    if (holds && givingBack) {
      release();
    }
  }

  private void join() {
    try {
      while (thread.isAlive()) {
        // Cancel again: a request may have started after the first call.
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
          .addKeyValue("cause", FailedRequest.describe(e))
          .log("The lease could not be released; it will expire");
    }
  }
}
