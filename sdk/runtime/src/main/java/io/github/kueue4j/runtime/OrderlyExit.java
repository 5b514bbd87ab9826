// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exit status of a process that was told to end and did: 0 after SIGTERM. Java itself makes it
 * 143, and then a pod that has ended in order shows as failed, at each rolling update.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OrderlyExit implements AutoCloseable {
  /** After SIGTERM, of a process that has not ended in order. */
  public static final int KILLED = 143;

  private static final Logger log = LoggerFactory.getLogger(OrderlyExit.class);

  /** Whether SIGTERM has come. */
  private static volatile boolean told;

  private final Runnable undo;

  private OrderlyExit(Runnable undo) {
    this.undo = undo;
  }

  /**
   * From now on SIGTERM runs the JVM's shutdown hooks and ends the process with status 0. A hook
   * that gives up calls {@link #giveUp}.
   *
   * @return ends that again
   */
  public static OrderlyExit onSigterm() {
    try {
      // By reflection: the compiler warns about each use, and the warning can't be switched off.
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Method handle = signal.getMethod("handle", signal, handler);
      Object term = signal.getConstructor(String.class).newInstance("TERM");
      Object before = handle.invoke(null, term, exiting(handler));
      return new OrderlyExit(
          () -> {
            try {
              handle.invoke(null, term, before);
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException("SIGTERM had a handler before, and can't have it", e);
            }
          });
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      // A JVM without the module jdk.unsupported, or one that was started with -Xrs.
      log.atDebug()
          .addKeyValue("cause", String.valueOf(cause))
          .log("SIGTERM can't be handled; the exit status stays the JVM's");
      return new OrderlyExit(() -> {});
    }
  }

  private static Object exiting(Class<?> handler) {
    InvocationHandler exit =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                told = true;
                Runtime.getRuntime().exit(0);
                yield null;
              }
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == arguments[0];
              default -> "exit(0)";
            };
    return Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, exit);
  }

  /** After SIGTERM ends the process at once, with the status of one that was killed. */
  public static void giveUp() {
    if (told) {
      Runtime.getRuntime().halt(KILLED);
    }
  }

  /** SIGTERM does what it did before. */
  @Override
  public void close() {
    undo.run();
  }
}
