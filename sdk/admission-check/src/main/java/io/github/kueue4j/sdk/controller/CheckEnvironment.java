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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.ControllerHost;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Where a check controller runs, by which clock, and with what around it.
 *
 * @param connection the cluster; stays open when a controller closes
 * @param time what delays and timers go by, stays open when a controller closes; absent: the
 *     machine's time
 * @param random where jitter comes from
 * @param hosting adds to the host: leader election, probes and metrics over HTTP
 * @param limits what operators change of the guards that the controller was built with
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CheckEnvironment(
    ClusterConnection connection,
    @Nullable TimeSource time,
    RandomGenerator random,
    UnaryOperator<ControllerHost.Builder> hosting,
    UnaryOperator<Guards> limits) {

  /** This cluster, the machine's time, nothing around the controller. */
  public static CheckEnvironment of(ClusterConnection connection) {
    return new CheckEnvironment(
        connection, null, new Random(), UnaryOperator.identity(), UnaryOperator.identity());
  }

  /** This cluster by this clock, nothing around the controller. */
  public static CheckEnvironment of(ClusterConnection connection, TimeSource time) {
    return of(connection).withTime(time);
  }

  /** The same environment by another clock, for example simulated time in a test. */
  public CheckEnvironment withTime(TimeSource other) {
    return new CheckEnvironment(connection, other, random, hosting, limits);
  }

  /** The same environment with other dice; a seeded source repeats a run. */
  public CheckEnvironment withRandom(RandomGenerator other) {
    return new CheckEnvironment(connection, time, other, hosting, limits);
  }

  /** The same environment with these additions to the host. */
  public CheckEnvironment withHosting(UnaryOperator<ControllerHost.Builder> additions) {
    return new CheckEnvironment(connection, time, random, additions, limits);
  }

  /** The same environment where operators have these wishes, for example {@code settings::on}. */
  public CheckEnvironment withLimits(UnaryOperator<Guards> changes) {
    return new CheckEnvironment(connection, time, random, hosting, changes);
  }
}
