// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class of which a thread dies of an exception.
 *
 * <p>Awaitility can do that too, but fails whichever test is just waiting, and several classes run
 * at once. Here a thread belongs to the class that was running in the thread that created it.
 */
@API(status = API.Status.INTERNAL)
public final class UncaughtExceptions
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(UncaughtExceptions.class);

  private static final InheritableThreadLocal<@Nullable Queue<Throwable>> OF_THIS_CLASS =
      new InheritableThreadLocal<>();

  /** Called by the service loader. */
  public UncaughtExceptions() {}

  static void record() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, exception) -> {
          Queue<Throwable> queue = OF_THIS_CLASS.get();
          if (queue == null) {
            exception.printStackTrace();
          } else {
            queue.add(exception);
          }
        });
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    OF_THIS_CLASS.set(queue(context));
  }

  /** Methods may run in other threads than what comes before all of them. */
  @Override
  public void beforeEach(ExtensionContext context) {
    OF_THIS_CLASS.set(queue(context));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    failIfAny(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    OF_THIS_CLASS.remove();
    failIfAny(context);
  }

  private static void failIfAny(ExtensionContext context) {
    Queue<Throwable> queue = queue(context);
    List<Throwable> all = new ArrayList<>();
    for (Throwable next = queue.poll(); next != null; next = queue.poll()) {
      all.add(next);
    }
    if (!all.isEmpty()) {
      AssertionError error =
          new AssertionError("a thread died of " + all.getFirst(), all.getFirst());
      all.stream().skip(1).forEach(error::addSuppressed);
      throw error;
    }
  }

  @SuppressWarnings("unchecked") // nothing else is stored there
  private static Queue<Throwable> queue(ExtensionContext context) {
    Class<?> type = context.getRequiredTestClass();
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(type, unused -> new ConcurrentLinkedQueue<Throwable>(), Queue.class);
  }
}
