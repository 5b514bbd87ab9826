// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A world in which one seed decides everything: which of its threads takes the next step, and what
 * they draw. Its time passes only where all of them wait.
 *
 * <p>Its threads are virtual threads of the JDK, run one at a time by the thread that called {@link
 * #run}, each until it waits for something. What a thread starts by {@link Thread#ofVirtual} is in
 * the simulation, too. Limits of waiting and {@link System#nanoTime} go by its time, also within
 * the JDK, see {@link RewrittenClasses}.
 */
@API(status = API.Status.INTERNAL)
public final class Simulation implements Executor, AutoCloseable {
  /** The time that a step takes, so that a thread that looks at the time again and again ends. */
  private static final long STEP_NANOS = 1_000;

  /** Within one {@link #run}; more is a world that never comes to an end. */
  private static final Duration LONGEST = Duration.ofHours(24);

  /** What is on its way when all is closed, such as an answer, arrives within this time. */
  private static final Duration LAST_STEPS = Duration.ofMinutes(2);

  /**
   * Real time, for a thread outside of the simulation that holds a lock, or is handing one over. A
   * machine that is very busy lets it wait for seconds; only what never happens takes that long.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Real time between two looks; what becomes runnable ends it at once. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(1);

  private static final ThreadLocal<@Nullable Simulation> DRIVEN = new ThreadLocal<>();

  static {
    ParkTimers.install();
    RewrittenClasses.install(Simulation::nanoTime, Simulation::salt);
  }

  private final long seed;
  private final SplittableRandom dice;
  private final RandomGenerator random;
  private final long salt;
  private final Timers timers = new Timers();
  private final SimulatedTime time = new SimulatedTime(this);
  private final Trace trace = new Trace();

  /** Threads that have become runnable since the driver looked; added to by any thread. */
  private final ConcurrentLinkedQueue<Runnable> arrivals = new ConcurrentLinkedQueue<>();

  private final IdentityHashMap<Runnable, Step> known = new IdentityHashMap<>();
  private final List<Step> runnable = new ArrayList<>();

  /** Threads whose last step ended at a monitor: no other can be given one. */
  private final List<Step> atMonitors = new ArrayList<>();

  private volatile @Nullable Thread driver;

  /** A thread of the simulation, as the scheduler sees it. */
  private record Step(int number, Thread thread, Runnable continuation) {}

  private Simulation(long seed) {
    this.seed = seed;
    SplittableRandom root = new SplittableRandom(seed);
    this.dice = root.split();
    this.random = new SynchronizedRandom(root.split());
    this.salt = root.nextLong(1L << Integer.SIZE);
  }

  /** A world with this seed, in which nothing has happened. */
  public static Simulation of(long seed) {
    return new Simulation(seed);
  }

  /** The simulation that the current thread is in. */
  public static Optional<Simulation> current() {
    Thread thread = Thread.currentThread();
    return thread.isVirtual() && VirtualThreads.scheduler(thread) instanceof Simulation simulation
        ? Optional.of(simulation)
        : Optional.empty();
  }

  /** The simulation whose next step the current thread is about to choose. */
  static Optional<Simulation> driven() {
    return Optional.ofNullable(DRIVEN.get());
  }

  private static long nanoTime(Thread virtual) {
    return VirtualThreads.scheduler(virtual) instanceof Simulation simulation
        ? simulation.timers.now()
        : System.nanoTime();
  }

  /** The salt of sets and maps; -1 on the threads of no simulation. */
  private static long salt(Thread virtual) {
    return VirtualThreads.scheduler(virtual) instanceof Simulation simulation
        ? simulation.salt
        : -1;
  }

  public long seed() {
    return seed;
  }

  /** Builds threads of this simulation. */
  public Thread.Builder.OfVirtual threads() {
    return VirtualThreads.builder(this);
  }

  /** What its code may draw from; for several threads. */
  public RandomGenerator random() {
    return random;
  }

  /** Its time, with timers, as a time source; closing it does nothing. */
  public SimulatedTime time() {
    return time;
  }

  Timers timers() {
    return timers;
  }

  /** Notes what happens, for {@link #trace}. */
  public void note(String event) {
    trace.add(event);
  }

  /** A number that stands for everything that has happened so far and in which order. */
  public long trace() {
    return trace.hash();
  }

  /** How many steps its threads have taken. */
  public long steps() {
    return trace.size();
  }

  /**
   * Runs this in a thread of the simulation, and all its other threads beside it, until it ends.
   *
   * @throws Exception what it throws
   * @throws SimulationException if nothing in the simulation can ever happen any more
   */
  public <T> T run(String name, Callable<T> body) throws Exception {
    if (current().filter(this::equals).isPresent()) {
      return body.call();
    }
    FutureTask<T> task = new FutureTask<>(body);
    threads().name(name).start(task);
    drive(task::isDone);
    return switch (task.state()) {
      case SUCCESS -> task.resultNow();
      case FAILED -> throw failure(task.exceptionNow());
      case RUNNING, CANCELLED -> throw new SimulationException(name + " was cancelled");
    };
  }

  private static Exception failure(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return (Exception) thrown;
  }

  private void drive(BooleanSupplier until) {
    if (driver != null) {
      throw new IllegalStateException("the simulation is driven by " + driver + " already");
    }
    driver = Thread.currentThread();
    DRIVEN.set(this);
    long end = timers.now() + LONGEST.toNanos();
    try {
      while (!until.getAsBoolean()) {
        step();
        if (timers.now() > end) {
          throw new SimulationException("it has not ended after " + LONGEST + "\n" + dump());
        }
      }
    } finally {
      DRIVEN.remove();
      driver = null;
    }
  }

  /** Lets one thread go on to where it waits next, or time pass to the next timer. */
  private void step() {
    for (Timers.Timer due = timers.due(); due != null; due = timers.due()) {
      due.run();
    }
    arrive();
    if (!runnable.isEmpty()) {
      go(runnable.remove(dice.nextInt(runnable.size())));
      return;
    }
    if (!timers.advance() && !arriveFromOutside()) {
      throw new SimulationException("every thread waits, and none for a time\n" + dump());
    }
  }

  private void go(Step next) {
    trace.step(next.number(), next.thread().getName(), timers.now());
    timers.pass(STEP_NANOS);
    do {
      next.continuation().run();
    } while (goesOnAtOnce(next));
    atMonitors.remove(next);
    if (VirtualThreads.atMonitor(next.thread())) {
      atMonitors.add(next);
    }
    if (!next.thread().isAlive()) {
      known.remove(next.continuation());
    }
  }

  /**
   * Whether the thread waited for what was held outside of the simulation, by the log, the loading
   * of a class or a cache of the whole process, and has got it. That is no end of a step.
   */
  private boolean goesOnAtOnce(Step step) {
    if (!waitsForOutside(step.thread())) {
      return false;
    }
    await(() -> arrivals.remove(step.continuation()), step, "a lock outside of the simulation");
    return true;
  }

  /**
   * Tells whether a thread that has just ended a step waits: no other of this simulation has run
   * since.
   */
  private boolean waitsForOutside(Thread thread) {
    if (VirtualThreads.waitsForMonitor(thread)) {
      Object monitor = VirtualThreads.monitorWaitedFor(thread);
      return monitor == null
          || known.values().stream()
              .noneMatch(other -> VirtualThreads.ownsMonitor(other.thread(), monitor));
    }
    return VirtualThreads.waitsForLock(thread) && !isOwn(VirtualThreads.ownerOfLock(thread));
  }

  private boolean isOwn(@Nullable Thread owner) {
    return owner != null && owner.isVirtual() && VirtualThreads.scheduler(owner) == this;
  }

  private void await(BooleanSupplier come, Step step, String what) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!come.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new SimulationException(step.thread() + " waits for " + what + '\n' + dump());
      }
      LockSupport.parkNanos(this, LOOK_EVERY.toNanos());
    }
  }

  /** Whether a thread outside, such as one of the JVM's, has made one of its threads runnable. */
  private boolean arriveFromOutside() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (arrivals.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(this, LOOK_EVERY.toNanos());
    }
    return !arrivals.isEmpty();
  }

  /** Takes in what has become runnable, in an order that doesn't depend on the machine. */
  private void arrive() {
    awaitUnblocked();
    boolean sorted = true;
    for (Runnable next = arrivals.poll(); next != null; next = arrivals.poll()) {
      runnable.add(known.computeIfAbsent(next, this::first));
      sorted = false;
    }
    if (!sorted) {
      runnable.sort((one, other) -> Integer.compare(one.number(), other.number()));
    }
  }

  /**
   * Waits for threads that have got a monitor: a thread of the JVM takes them off its list and then
   * hands them to this scheduler.
   */
  private void awaitUnblocked() {
    for (Step step : atMonitors) {
      if (isBeingUnblocked(step)) {
        await(() -> !isBeingUnblocked(step), step, "the JVM, to be given a monitor");
      }
    }
  }

  private boolean isBeingUnblocked(Step step) {
    return VirtualThreads.unblocking(step.thread())
        || (VirtualThreads.unblocked(step.thread())
            && !runnable.contains(step)
            && !arrivals.contains(step.continuation()));
  }

  private int threads;

  private Step first(Runnable continuation) {
    return new Step(threads++, VirtualThreads.threadOf(continuation), continuation);
  }

  /** Called by virtual threads when they can go on. */
  @Override
  public void execute(Runnable continuation) {
    arrivals.add(continuation);
    Thread waiting = driver;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /** The names of the threads that have not ended. */
  public List<String> alive() {
    arrive();
    return known.values().stream()
        .map(Step::thread)
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .sorted()
        .toList();
  }

  /**
   * Lets its last steps happen, and ends it.
   *
   * @throws SimulationException if threads are left that wait for something
   */
  @Override
  public void close() {
    time.end();
    long end = timers.now() + LAST_STEPS.toNanos();
    drive(() -> alive().isEmpty() || timers.now() > end || (runnable.isEmpty() && timers.none()));
    if (!alive().isEmpty()) {
      throw new SimulationException("these threads have not ended: " + alive() + '\n' + dump());
    }
  }

  private String dump() {
    return known.values().stream()
        .map(Step::thread)
        .filter(Thread::isAlive)
        .map(Simulation::describe)
        .sorted()
        .collect(Collectors.joining("\n", trace.last(), ""));
  }

  private static String describe(Thread thread) {
    StringBuilder text = new StringBuilder(thread.getName()).append(' ').append(thread.getState());
    for (StackTraceElement frame : thread.getStackTrace()) {
      text.append("\n    at ").append(frame);
    }
    return text.toString();
  }
}
