// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The test class to which belongs what its threads make, what they log, and what they die of.
 * Several classes run at once; a thread belongs to the class that was running in the thread that
 * created it.
 */
final class TestOwner {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(TestOwner.class);

  private static final int FORGET_EVERY = 1_000;

  private static final InheritableThreadLocal<@Nullable TestOwner> CURRENT =
      new InheritableThreadLocal<>();

  private final Class<?> type;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Made> made = new ConcurrentLinkedQueue<>();
  private final AtomicLong count = new AtomicLong();
  private final ClassLog log;

  /** The owner of what the tests of this class make from now on. */
  TestOwner(Class<?> type) {
    this.type = type;
    this.log = new ClassLog(type.getName());
  }

  /** The owner of what the current thread makes; null outside of tests. */
  static @Nullable TestOwner current() {
    return CURRENT.get();
  }

  static void makeCurrent(@Nullable TestOwner owner) {
    CURRENT.set(owner);
  }

  /** The class whose tests run, not one of those nested in it, since it ends as a whole. */
  static TestOwner of(ExtensionContext context) {
    Class<?> type = testClass(context);
    while (isNested(type)) {
      type = type.getEnclosingClass();
    }
    @SuppressWarnings("unchecked") // nothing else is stored there
    ConcurrentHashMap<Class<?>, TestOwner> all =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(
                TestOwner.class, unused -> new ConcurrentHashMap<>(), ConcurrentHashMap.class);
    return all.computeIfAbsent(type, TestOwner::new);
  }

  /** A dynamic test has none itself: it is that of the method which made it. */
  private static Class<?> testClass(ExtensionContext context) {
    ExtensionContext at = context;
    while (at.getTestClass().isEmpty() && at.getParent().isPresent()) {
      at = at.getParent().get();
    }
    return at.getRequiredTestClass();
  }

  /** Whether the class runs as a part of the one around it. */
  static boolean isNested(Class<?> type) {
    return AnnotationSupport.isAnnotated(type, Nested.class);
  }

  String className() {
    return type.getName();
  }

  ClassLog log() {
    return log;
  }

  /** Whether something stays for certain, so that waiting for its end is in vain. */
  boolean leavesOnPurpose() {
    return type.isAnnotationPresent(PlantedLeak.class);
  }

  void failed(Throwable failure) {
    failures.add(failure);
  }

  /** What threads died of since the last call. */
  List<Throwable> takeFailures() {
    List<Throwable> all = new ArrayList<>();
    for (Throwable next = failures.poll(); next != null; next = failures.poll()) {
      all.add(next);
    }
    return all;
  }

  /** Forgets, now and then, what has gone: a long test may make thousands of threads. */
  void made(Made thing) {
    made.add(thing);
    if (count.incrementAndGet() % FORGET_EVERY == 0) {
      made.removeIf(Made::gone);
    }
  }

  /** What it made that is still there; what has gone is forgotten. */
  List<Made> alive() {
    made.removeIf(Made::gone);
    return List.copyOf(made);
  }
}
