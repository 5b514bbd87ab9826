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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A reconciler with its work queue, its workers and the changes that feed it. A {@link
 * ControllerHost} starts and stops it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Controller {

  private final Builder spec;
  private @Nullable volatile RunningController running;

  private Controller(Builder spec) {
    this.spec = spec;
  }

  /**
   * Starts to describe a controller.
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
   * Its work queue, for adds that no informer's change causes.
   *
   * @throws IllegalStateException before the host has been built: the queue needs its time source
   */
  public WorkQueue<ObjectKey> queue() {
    @Nullable RunningController current = running;
    if (current == null) {
      throw new IllegalStateException(
          "controller " + spec.name + " has no queue yet: build its ControllerHost first");
    }
    return current.queue();
  }

  /** Prepares the queue and starts to collect changes; workers start with {@link #start}. */
  void prepare(TimeSource time, MeterRegistry meters) {
    if (running != null) {
      throw new IllegalStateException(
          "controller " + spec.name + " belongs to a host already: build a new one");
    }
    @Nullable TimeSource own = spec.time;
    var prepared = new RunningController(spec, own == null ? time : own, meters);
    running = prepared;
    spec.watches.forEach(watch -> watch.accept(prepared));
  }

  /** Whether nothing waits for a worker or is being reconciled. */
  boolean rests() {
    return current().rests();
  }

  void start() {
    current().start();
  }

  /** Ends these controllers together; see {@link JointStop}. */
  static void stop(List<Controller> controllers, Duration grace) {
    JointStop.stop(controllers.stream().map(Controller::current).toList(), grace);
  }

  /** Ends the workers; waits up to {@code grace} for reconciles under way, then interrupts. */
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

  /** Describes a controller. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder {
    final String name;
    final Reconciler reconciler;
    final List<Consumer<RunningController>> watches = new ArrayList<>();
    @Nullable TimeSource time;
    int workers = 1;
    ErrorBackoff backoff = new ErrorBackoff(Duration.ofMillis(500), Duration.ofMinutes(5));

    private Builder(String name, Reconciler reconciler) {
      this.name = name;
      this.reconciler = reconciler;
    }

    /** Reconciles an object whenever it changes. */
    public <T extends KubernetesObject> Builder watch(Informer<T> informer) {
      return watch(informer, change -> List.of(change.key()));
    }

    /** Reconciles the keys that {@code keys} gives for a change. */
    public <T extends KubernetesObject> Builder watch(
        Informer<T> informer, Function<Change<T>, ? extends Collection<ObjectKey>> keys) {
      watches.add(
          controller ->
              controller.own(
                  informer.onChange(change -> keys.apply(change).forEach(controller::add))));
      return this;
    }

    /** How many keys are reconciled at once; at least 1, default 1. */
    public Builder workers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("workers must be at least 1 but is " + count);
      }
      workers = count;
      return this;
    }

    /**
     * The delay after failures of a key: {@code base}, doubled with each failure in a row, at most
     * {@code max}. Default 500 ms to 5 min.
     */
    public Builder errorBackoff(Duration base, Duration max) {
      backoff = new ErrorBackoff(base, max);
      return this;
    }

    /**
     * What its delays and back-off go by instead of the host's time; stays open when the host
     * closes. For a controller that spaces out its requests: servers live in real time even where
     * everything else is simulated.
     */
    public Builder delaysBy(TimeSource source) {
      time = source;
      return this;
    }

    /** The controller. */
    public Controller build() {
      return new Controller(this);
    }
  }
}
