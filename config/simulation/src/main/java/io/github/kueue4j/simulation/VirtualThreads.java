// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The internals of the JDK's virtual threads: a scheduler of one's own, and the states that say
 * whether one is about to become runnable and what it waits for. As in JDK 25; the JVM needs {@code
 * --add-opens java.base/java.lang=ALL-UNNAMED}, and the same for {@code java.util.concurrent.locks}
 * and {@code jdk.internal.vm}.
 */
final class VirtualThreads {
  private static final int BLOCKING = 12;
  private static final int BLOCKED = 13;
  private static final int UNBLOCKED = 14;
  private static final int TIMED_WAIT = 18;

  private static final Class<?> TYPE = type("java.lang.VirtualThread");
  private static final VarHandle SCHEDULER = field("scheduler", Executor.class);
  private static final VarHandle STATE = field("state", int.class);
  private static final VarHandle BLOCK_PERMIT = field("blockPermit", boolean.class);
  private static final VarHandle ON_WAITING_LIST = field("onWaitingList", boolean.class);
  private static final Constructor<?> BUILDER = builderOf();
  private static final Class<?> REENTRANT = type("java.util.concurrent.locks.ReentrantLock$Sync");
  private static final Field OWNER =
      member("java.util.concurrent.locks.AbstractOwnableSynchronizer", "exclusiveOwnerThread");

  private static final String SNAPSHOT = "jdk.internal.vm.ThreadSnapshot";
  private static final Method SNAPSHOT_OF = method(SNAPSHOT, "of", Thread.class);
  private static final Method STATE_THEN = method(SNAPSHOT, "threadState");
  private static final Method BLOCKED_ON = method(SNAPSHOT, "blockedOn");
  private static final Field LOCKS = member(SNAPSHOT, "locks");
  private static final Field LOCK_OBJECT = member(SNAPSHOT + "$ThreadLock", "obj");

  private VirtualThreads() {}

  /** Builds virtual threads that this scheduler runs. */
  static Thread.Builder.OfVirtual builder(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  /** The scheduler of this virtual thread. */
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

  /** Whether a thread that isn't running waits for a monitor, or for a notification by one. */
  static boolean atMonitor(Thread thread) {
    int state = (int) STATE.getVolatile(thread);
    return state >= BLOCKING && state <= TIMED_WAIT;
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

  /** The monitor that a blocked thread waits for; null if it doesn't wait any more. */
  static @Nullable Object monitorWaitedFor(Thread thread) {
    Object snapshot = snapshot(thread);
    // Asking for it where the thread isn't blocked is refused.
    return snapshot == null || invoke(STATE_THEN, snapshot) != Thread.State.BLOCKED
        ? null
        : invoke(BLOCKED_ON, snapshot);
  }

  /** Whether this thread, which isn't running, is in a block that is synchronized on this. */
  static boolean ownsMonitor(Thread thread, Object monitor) {
    Object snapshot = snapshot(thread);
    if (snapshot == null) {
      return false;
    }
    try {
      for (Object lock : (Object[]) LOCKS.get(snapshot)) {
        if (LOCK_OBJECT.get(lock) == monitor) {
          return true;
        }
      }
      return false;
    } catch (IllegalAccessException e) {
      throw unsuited(e);
    }
  }

  private static @Nullable Object snapshot(Thread thread) {
    return invoke(SNAPSHOT_OF, null, thread);
  }

  private static @Nullable Object invoke(
      Method method, @Nullable Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  /** Whether it is parked until it gets a lock that one thread at a time owns. */
  static boolean waitsForLock(Thread thread) {
    return REENTRANT.isInstance(LockSupport.getBlocker(thread));
  }

  /** The owner of the lock that it {@linkplain #waitsForLock waits for}; null if none has it. */
  static @Nullable Thread ownerOfLock(Thread thread) {
    try {
      return (Thread) OWNER.get(LockSupport.getBlocker(thread));
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

  private static Field member(String type, String name) {
    try {
      Field field = type(type).getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  private static Method method(String type, String name, Class<?>... parameters) {
    try {
      Method method = type(type).getDeclaredMethod(name, parameters);
      method.setAccessible(true);
      return method;
    } catch (ReflectiveOperationException e) {
      throw unsuited(e);
    }
  }

  static IllegalStateException unsuited(Throwable cause) {
    return new IllegalStateException(
        "simulations need the virtual threads of JDK 25, this is "
            + Runtime.version()
            + "; with -Dkueue4j.simulated=false their tests run in real time",
        cause);
  }
}
