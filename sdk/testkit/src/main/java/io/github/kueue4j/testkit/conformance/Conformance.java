// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A run of the conformance kit against one controller, which must be running, or is started by the
 * user of the kit. The kit creates what it needs, an AdmissionCheck and Workloads in a namespace of
 * their own, plays Kueue's part for them, and deletes all of it in the end.
 *
 * <pre>{@code
 * ConformanceReport report =
 *     Conformance.of("example.com/license", api, time, random).proxy(proxy).run();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Conformance {
  private final String controllerName;
  private final JsonApi api;
  private final TimeSource time;
  private final RandomGenerator random;
  private @Nullable ObjectNode parameters;
  private @Nullable ObjectNode workload;
  private @Nullable ControllerProxy proxy;
  private @Nullable Restart restart;
  private @Nullable Runnable revocation;
  private Duration quiet = Duration.ofSeconds(2);
  private Duration patience = Duration.ofSeconds(30);
  private Silence silence = Silence.believed();
  private Consumer<String> progress = step -> {};

  /** How to stop the controller and start it again. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public interface Restart {
    /** Ends the controller; it is gone when this returns. */
    void stop();

    /** Starts it. */
    void start();
  }

  private Conformance(String controllerName, JsonApi api, TimeSource time, RandomGenerator random) {
    this.controllerName = controllerName;
    this.api = api;
    this.time = time;
    this.random = random;
  }

  /**
   * Describes a run.
   *
   * @param controllerName what AdmissionChecks of this controller say in {@code
   *     spec.controllerName}
   * @param api the server on which the controller works; stays open
   * @param time the machine's time; stays open
   * @param random for unique names
   */
  public static Conformance of(
      String controllerName, JsonApi api, TimeSource time, RandomGenerator random) {
    return new Conformance(controllerName, api, time, random);
  }

  /** Sets the object that the AdmissionCheck refers to; an object of this kind that must exist. */
  public Conformance parameters(String apiGroup, String kind, String name) {
    parameters = Trees.empty().put("apiGroup", apiGroup).put("kind", kind).put("name", name);
    return this;
  }

  /**
   * A Workload that the controller accepts, of which the spec, the labels and the annotations are
   * used; default one pod with one cpu.
   */
  public Conformance workload(ObjectNode accepted) {
    workload = accepted.deepCopy();
    return this;
  }

  /** Sets the proxy between the controller and the server; without it some rules can't be tried. */
  public Conformance proxy(ControllerProxy between) {
    proxy = between;
    return this;
  }

  /** How to restart the controller; without it the rule about restarts can't be tried. */
  public Conformance restart(Restart how) {
    restart = how;
    return this;
  }

  /**
   * Sets the action that makes the controller take its Ready back, for example withdrawing a
   * license. It is called once, at the end of the run, when the controller has let a Workload
   * through. A controller that keeps watching may then say Retry or Rejected; one whose Ready is
   * final says nothing.
   */
  public Conformance revocation(Runnable withdrawal) {
    revocation = withdrawal;
    return this;
  }

  /**
   * How long nothing must happen until the kit believes that nothing will; positive, default 2 s.
   */
  public Conformance quiet(Duration time) {
    quiet = positive(time);
    return this;
  }

  /** How long the controller may take for an answer; positive, default 30 s. */
  public Conformance patience(Duration limit) {
    patience = positive(limit);
    return this;
  }

  /** Is told what is being done, one line at a time. */
  public Conformance progress(Consumer<String> listener) {
    progress = listener;
    return this;
  }

  /** Sets the knowledge about the controller besides its writes; default nothing. */
  Conformance silence(Silence known) {
    silence = known;
    return this;
  }

  private static Duration positive(Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("the duration must be positive: " + duration);
    }
    return duration;
  }

  /**
   * Tries every rule; takes from half a minute to some minutes.
   *
   * @throws ConformanceException if the controller can't be judged on this cluster
   */
  public ConformanceReport run() {
    try (Fixture fixture =
        Fixture.prepare(
            new Fixture.Plan(
                api,
                new EarlierTime(time),
                controllerName,
                parameters,
                workload,
                patience,
                Long.toString(random.nextLong(1L << 40, 1L << 41), Character.MAX_RADIX)))) {
      Findings findings = new Findings();
      new Scenarios(
              fixture,
              findings,
              new CheckDriver(fixture, quiet, patience, silence),
              Optional.ofNullable(proxy),
              Optional.ofNullable(restart),
              Optional.ofNullable(revocation),
              progress)
          .bringAbout();
      progress.accept("cleaning up");
      return new ConformanceReport(controllerName, api.server().toString(), findings.all());
    }
  }
}
