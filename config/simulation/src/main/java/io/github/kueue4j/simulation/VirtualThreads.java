// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK keeps to itself about virtual threads: a scheduler of one's own, and the states that
 * say whether one is about to become runnable. As in JDK 25; the JVM needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}, and the same for {@code java.util.concurrent.locks}.
 */
final class VirtualThreads {
  private static final int BLOCKED = 13;
  private static final int UNBLOCKED = 14;

  private static final Class<?> TYPE = type("java.lang.VirtualThread");
  private static final VarHandle SCHEDULER = field("scheduler", Executor.class);
  private static final VarHandle STATE = field("state", int.class);
  private static final VarHandle BLOCK_PERMIT = field("blockPermit", boolean.class);
  private static final VarHandle ON_WAITING_LIST = field("onWaitingList", boolean.class);
  private static final Constructor<?> BUILDER = builderOf();
  private static final Field OWNER = owner();

  private VirtualThreads() {}

  /** Builds virtual threads that this scheduler runs. */
  static Thread.Builder.OfVirtual builder(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  /** What runs this virtual thread. */
  static Executor scheduler(Thread thread) {
    return (Executor) SCHEDULER.get(thread);
  }

  /** The thread that a scheduler was given. */
  static Thread threadOf(Runnable continuation) {
    try {
      Field captured = continuation.getClass().getDeclaredFields()[0];
      captured.setAccessible(true);
      return (Thread) captured.get(continuation);
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  /** Whether it has waited for a monitor and a thread of the JVM makes it runnable now. */
  static boolean unblocking(Thread thread) {
    // In this order: it is on the list, then it has the permit, then it isn't blocked any more.
    return (boolean) ON_WAITING_LIST.getVolatile(thread)
        || ((boolean) BLOCK_PERMIT.getVolatile(thread)
            && (int) STATE.getVolatile(thread) == BLOCKED);
  }

  /** Whether another thread has the monitor that it wants, or has just left it. */
  static boolean waitsForMonitor(Thread thread) {
    int state = (int) STATE.getVolatile(thread);
    return state == BLOCKED || state == UNBLOCKED;
  }

  /** Whether it has got a monitor, and has been handed to its scheduler or is about to be. */
  static boolean unblocked(Thread thread) {
    return (int) STATE.getVolatile(thread) == UNBLOCKED;
  }

  /** The owner of the lock that a parked thread waits for; null if it waits for none. */
  static @Nullable Thread ownerOfLock(@Nullable Object blocker) {
    try {
      return OWNER.getDeclaringClass().isInstance(blocker) ? (Thread) OWNER.get(blocker) : null;
    } catch (IllegalAccessException e) {
      throw unsuited(e);
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw unsuited(e);
    }
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(TYPE, MethodHandles.lookup())
          .findVarHandle(TYPE, name, type);
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  private static Constructor<?> builderOf() {
    try {
      Constructor<?> constructor =
          type("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  private static Field owner() {
    try {
      Field owner =
          type("java.util.concurrent.locks.AbstractOwnableSynchronizer")
              .getDeclaredField("exclusiveOwnerThread");
      owner.setAccessible(true);
      return owner;
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  static IllegalStateException unsuited(Throwable cause) {
    return new IllegalStateException(
        "simulations need the virtual threads of JDK 25, this is " + Runtime.version(), cause);
  }
}
