// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/**
 * The methods that {@link RewrittenClasses} call instead of those whose outcome a seed can't
 * decide: on a simulation's threads it is the simulation's own, and on all others what it has
 * always been.
 *
 * <p>Loaded once more beside the JDK's own classes, because they call it.
 */
@API(status = API.Status.INTERNAL)
public final class Hooks {

  /** The time of a virtual thread; null while there is no simulation. */
  @SuppressWarnings("NullAway") // the JDK's own classes, beside which it is loaded, lack @Nullable
  public static volatile ToLongFunction<Thread> timeOfVirtualThread;

  /** The salt of a virtual thread, at least 0; -1 for that of the JVM. */
  @SuppressWarnings("NullAway") // as above
  public static volatile ToLongFunction<Thread> saltOfVirtualThread;

  private Hooks() {}

  /** The current thread's {@link System#nanoTime}. */
  public static long now() {
    ToLongFunction<Thread> simulated = timeOfVirtualThread;
    Thread current = Thread.currentThread();
    return simulated != null && current.isVirtual()
        ? simulated.applyAsLong(current)
        : System.nanoTime();
  }

  /**
   * Where the current thread begins to iterate over what {@code Set.of} and {@code Map.of} made.
   *
   * @param ofJvm where others begin
   */
  public static long salt(long ofJvm) {
    long simulated = simulatedSalt();
    return simulated < 0 ? ofJvm : simulated;
  }

  /**
   * Whether the current thread iterates backwards over what {@code Set.of} and {@code Map.of} made.
   *
   * @param ofJvm whether others do
   */
  public static boolean reverse(boolean ofJvm) {
    long simulated = simulatedSalt();
    return simulated < 0 ? ofJvm : (simulated & 1) == 0;
  }

  private static long simulatedSalt() {
    ToLongFunction<Thread> simulated = saltOfVirtualThread;
    Thread current = Thread.currentThread();
    return simulated != null && current.isVirtual() ? simulated.applyAsLong(current) : -1;
  }
}
