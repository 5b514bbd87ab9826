// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Everything that scheduling depends on: the queues, the Workloads that wait, and the quota that is
 * held. It belongs to one thread (see {@link StateLoop}). It takes in what the informers see and
 * what became of the core's own writes. It writes nothing itself: it requests writes through the
 * {@link Outbox}.
 *
 * <p>A decided reservation counts at once, before any version of the Workload shows it. Quota is
 * therefore never reserved twice, however late the informer is.
 */
@API(status = API.Status.INTERNAL)
public final class State {
  private final SchedulingBooks books;
  private final DeferredPreemptions deferredPreemptions;
  private final WorkloadChanges workloads;
  private final ConfigObjectChanges configObjects;
  private final QueueReports reports;
  private final SchedulerDriver scheduler;

  /** The consequences of a change of the State. Called on the State's thread; must not block. */
  @API(status = API.Status.INTERNAL)
  public interface Effects {
    /** The worker of a Workload has something to do. */
    void wake(ObjectKey workload);

    /** The worker of a Workload has something to do at {@code when}, and not before. */
    void wakeAt(ObjectKey workload, Instant when);

    /** A Workload can be tried again after a pause, however the clock is set meanwhile. */
    void retryAfter(ObjectKey workload, Duration pause);

    /** The scheduler should run again after this, whatever happens until then. */
    void scheduleAfter(Duration pause);

    /** The counts of a queue have changed; the key of a LocalQueue has a namespace. */
    void queueChanged(ObjectKey queue);

    /** A Cohort came, changed or went, or it has other members. */
    void cohortChanged(String cohort);

    /** A head was tried. */
    void attempted(Decision decision);

    /** A scheduling cycle that has candidates begins. */
    default void cycleBegins() {}

    /** A scheduling cycle has ended with these decisions. */
    default void cycled(List<Decision> decisions) {}
  }

  /**
   * A State that has seen no object yet.
   *
   * @param steady for pauses: the same pace as the instants that are passed in, but never set back
   *     or forward
   */
  public State(SchedulingSettings settings, Outbox outbox, Effects effects, InstantSource steady) {
    books = SchedulingBooks.empty(settings, outbox, effects, steady);
    deferredPreemptions = new DeferredPreemptions(books);
    PendingReasonNotifier notifier = new PendingReasonNotifier(outbox, effects, steady);
    Ledger ledger = new Ledger(books, deferredPreemptions, notifier);
    workloads = new WorkloadChanges(books, ledger);
    configObjects = new ConfigObjectChanges(books, ledger);
    reports = new QueueReports(books);
    scheduler = new SchedulerDriver(books, ledger, deferredPreemptions, notifier);
  }

  /** Takes in what happens to Workloads. */
  public WorkloadChanges workloads() {
    return workloads;
  }

  /** Takes in changes of the objects that decide about quota. */
  public ConfigObjectChanges configObjects() {
    return configObjects;
  }

  /** What queues and Cohorts hold; reading it changes nothing. */
  public QueueReports reports() {
    return reports;
  }

  /**
   * Draws the consequences of the changes of quota that were taken in. Scheduling does so by
   * itself; a State that doesn't schedule needs this after changes of queues and Cohorts.
   */
  public void settle(Instant now) {
    configObjects.settle(now);
  }

  /**
   * Finds out what an earlier core left under way, from the objects that were taken in. The first
   * {@link #schedule} does so by itself; it is called before if the objects may change until then.
   * Further calls change nothing.
   */
  public void takeOver() {
    books.preemptors().recall();
  }

  /**
   * Runs scheduling cycles until no queue has a head left that is worth a try.
   *
   * @return false if it stopped early so that events get their turn
   */
  public boolean schedule(Instant now) {
    settle(now);
    takeOver();
    books.quotas().deciding(true);
    try {
      if (books.usage().advanceTo(now)) {
        deferredPreemptions.chooseAnew(now);
      }
      return scheduler.run(now);
    } finally {
      books.quotas().deciding(false);
    }
  }
}
