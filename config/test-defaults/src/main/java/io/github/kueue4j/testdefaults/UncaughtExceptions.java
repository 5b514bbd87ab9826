// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;

/**
 * Fails a test class of which a thread dies of an exception.
 *
 * <p>Awaitility can do that too, but fails whichever test is just waiting, and several classes run
 * at once. Here a thread belongs to the class that was running in the thread that created it.
 */
@API(status = API.Status.INTERNAL)
public final class UncaughtExceptions
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        InvocationInterceptor {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(UncaughtExceptions.class);

  private static final String PREDECESSOR = "predecessor";

  /** Called by the service loader. */
  public UncaughtExceptions() {}

  static void record() {
    Thread.setDefaultUncaughtExceptionHandler(new Recorder());
  }

  /** Takes in what threads die of and, by the other method, what they {@linkplain Leaks make}. */
  private static final class Recorder implements Thread.UncaughtExceptionHandler, Consumer<Object> {
    @Override
    public void uncaughtException(Thread thread, Throwable exception) {
      TestOwner owner = TestOwner.current();
      if (owner == null) {
        exception.printStackTrace();
      } else {
        owner.failed(exception);
      }
    }

    @Override
    public void accept(Object made) {
      Leaks.made(made);
    }
  }

  /**
   * A test that runs others in its own thread is their predecessor. It is that again once JUnit has
   * closed everything that the class or method has stored, of which this is the first.
   */
  @Override
  public void beforeAll(ExtensionContext context) {
    own(context);
  }

  /** Methods may run in other threads than what comes before all of them. */
  @Override
  public void beforeEach(ExtensionContext context) {
    own(context);
  }

  private static void own(ExtensionContext context) {
    TestOwner before = TestOwner.current();
    context
        .getStore(NAMESPACE)
        .put(PREDECESSOR, (AutoCloseable) () -> TestOwner.makeCurrent(before));
    TestOwner.makeCurrent(TestOwner.of(context));
  }

  /**
   * So may dynamic tests, before each of which nothing is called: also in a thread of another class
   * that waits for its own methods, and is that of the other class again afterwards.
   */
  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext test,
      ExtensionContext context)
      throws Throwable {
    TestOwner before = TestOwner.current();
    TestOwner.makeCurrent(TestOwner.of(context));
    try {
      invocation.proceed();
    } finally {
      TestOwner.makeCurrent(before);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    failIfAny(TestOwner.of(context));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    failIfAny(TestOwner.of(context));
  }

  /** Throws what threads of this owner died of since the last call. */
  static void failIfAny(TestOwner owner) {
    List<Throwable> all = owner.takeFailures();
    if (!all.isEmpty()) {
      AssertionError error =
          new AssertionError("a thread died of " + all.getFirst(), all.getFirst());
      all.stream().skip(1).forEach(error::addSuppressed);
      throw error;
    }
  }
}
