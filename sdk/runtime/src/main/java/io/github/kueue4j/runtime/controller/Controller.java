// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ErrorBackoff;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Threads;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A reconciler with its work queue, its workers and its watches. A {@link ControllerHost} starts
 * and stops it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Controller {

  private final Builder spec;
  private @Nullable volatile RunningController running;

  private Controller(Builder spec) {
    this.spec = spec;
  }

  /**
   * A builder of a controller.
   *
   * @param name for logs, metrics and threads, for example {@code workloads}
   */
  public static Builder builder(String name, Reconciler reconciler) {
    return new Builder(name, reconciler);
  }

  /** The controller's name. */
  public String name() {
    return spec.name;
  }

  /**
   * Its work queue, for keys to be added other than by informers.
   *
   * @throws IllegalStateException before the host has been built, whose time source the queue needs
   */
  public WorkQueue<ObjectKey> queue() {
    @Nullable RunningController current = running;
    if (current == null) {
      throw new IllegalStateException(
          "controller " + spec.name + " has no queue yet: build its ControllerHost first");
    }
    return current.queue();
  }

  /** Creates the queue and registers the watches; workers start with {@link #start}. */
  void prepare(TimeSource time, MeterRegistry meters, FatalErrors fatalErrors, Threads threads) {
    if (running != null) {
      throw new IllegalStateException(
          "controller " + spec.name + " belongs to another host already: build a new one");
    }
    @Nullable TimeSource own = spec.time;
    var prepared =
        new RunningController(
            spec, fatalErrors.guard(own == null ? time : own), meters, fatalErrors, threads);
    running = prepared;
    spec.watches.forEach(watch -> watch.accept(prepared));
  }

  /** Whether no key waits for a worker or is being reconciled. */
  boolean rests() {
    return current().rests();
  }

  void start() {
    current().start();
  }

  /** Stops these controllers together; see {@link GracefulShutdown}. */
  static void stop(List<Controller> controllers, Duration grace) {
    GracefulShutdown.stop(controllers.stream().map(Controller::current).toList(), grace);
  }

  /** Stops the workers: waits up to {@code grace} for running reconciles, then interrupts them. */
  void stop(Duration grace) {
    stop(List.of(this), grace);
  }

  private RunningController current() {
    @Nullable RunningController current = running;
    if (current == null) {
      throw new IllegalStateException("controller " + spec.name + " was not prepared");
    }
    return current;
  }

  /** Builds a controller. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    final String name;
    final Reconciler reconciler;
    final List<Consumer<RunningController>> watches = new ArrayList<>();
    @Nullable TimeSource time;
    int workers = 1;
    private @Nullable Function<ObjectKey, String> groups;
    ErrorBackoff backoff = new ErrorBackoff(Duration.ofMillis(500), Duration.ofMinutes(5));

    private Builder(String name, Reconciler reconciler) {
      this.name = name;
      this.reconciler = reconciler;
    }

    /** Reconciles an object whenever it changes. */
    public <T extends KubernetesObject> Builder watch(Informer<T> informer) {
      return watch(informer, change -> List.of(change.key()));
    }

    /** Reconciles the keys that {@code keys} returns for a change. */
    public <T extends KubernetesObject> Builder watch(
        Informer<T> informer, Function<Change<T>, ? extends Collection<ObjectKey>> keys) {
      return watch(informer, keys, change -> false);
    }

    /**
     * The same, where some changes can wait: their keys come after all others, such as those of
     * objects whose quota is to be released, but at least every eighth turn is theirs. They are
     * brought forward by any other change. No effect in a controller that {@link #shareWorkers
     * shares its workers}.
     *
     * @param lowPriority whether a change can wait, for example new objects in thousands
     */
    public <T extends KubernetesObject> Builder watch(
        Informer<T> informer,
        Function<Change<T>, ? extends Collection<ObjectKey>> keys,
        Predicate<Change<T>> lowPriority) {
      watches.add(
          controller ->
              controller.own(
                  informer.onChange(
                      change -> {
                        boolean low = lowPriority.test(change);
                        keys.apply(change).forEach(key -> controller.add(key, low));
                      })));
      return this;
    }

    /** The number of keys that are reconciled concurrently; at least 1, default 1. */
    public Builder workers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("workers must be at least 1 but is " + count);
      }
      workers = count;
      return this;
    }

    /**
     * Lets groups of keys share the workers, as {@link SharedPlaces} do: a group whose reconciles
     * all take long leaves workers to the others, and groups with waiting keys take turns. Without
     * this call keys are reconciled in the order in which they came.
     *
     * @param group of a key, for example {@code ObjectKey::namespace}; quick, and always the same
     */
    public Builder shareWorkers(Function<ObjectKey, String> group) {
      groups = group;
      return this;
    }

    WaitingKeys.@Nullable Sharing<ObjectKey> sharing() {
      return groups == null ? null : new WaitingKeys.Sharing<>(groups, SharedPlaces.of(workers));
    }

    /**
     * The delay after failures of a key: {@code base}, doubled with each consecutive failure, at
     * most {@code max}. Default 500 ms to 5 min.
     */
    public Builder errorBackoff(Duration base, Duration max) {
      backoff = new ErrorBackoff(base, max);
      return this;
    }

    /**
     * The time source of its delays and backoff, instead of the host's; the host doesn't close it.
     * For controllers that space out requests to real servers while other time is simulated.
     */
    public Builder delaysBy(TimeSource source) {
      time = source;
      return this;
    }

    /** Builds the controller. */
    public Controller build() {
      return new Controller(this);
    }
  }
}
