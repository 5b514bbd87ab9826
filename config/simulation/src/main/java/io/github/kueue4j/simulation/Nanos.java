// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/**
 * What {@link System#nanoTime} is replaced by where code shall also run in simulated time: the
 * simulation's own time on its threads, and real time on all others.
 *
 * <p>Loaded once more beside the JDK's own classes, because they call it.
 */
@API(status = API.Status.INTERNAL)
public final class Nanos {

  /** The time of a virtual thread; null while there is no simulation. */
  @SuppressWarnings("NullAway") // the JDK's own classes, beside which it is loaded, lack @Nullable
  public static volatile ToLongFunction<Thread> ofVirtualThread;

  private Nanos() {}

  /** The current thread's time. */
  public static long now() {
    ToLongFunction<Thread> simulated = ofVirtualThread;
    Thread current = Thread.currentThread();
    return simulated != null && current.isVirtual()
        ? simulated.applyAsLong(current)
        : System.nanoTime();
  }
}
