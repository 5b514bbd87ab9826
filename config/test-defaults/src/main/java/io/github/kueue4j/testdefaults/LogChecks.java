// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** Fails a class of tests that doesn't log what it {@linkplain ExpectedLog expects}. */
@API(status = API.Status.INTERNAL)
public final class LogChecks implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LogChecks.class);

  /** For threads that outlive the class, since all classes share them. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String CHECK = "check";
  private static final String PATIENCE_PARAMETER = "kueue4j.logs.patience";
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  /** Called by the service loader. */
  public LogChecks() {}

  /** The methods of a class that have succeeded, and those that have failed. */
  private static final class Outcomes {
    private final ExtensionContext context;
    private final Set<Method> succeeded = ConcurrentHashMap.newKeySet();
    private final Set<Method> failed = ConcurrentHashMap.newKeySet();

    Outcomes(ExtensionContext context) {
      this.context = context;
    }

    /** Whether what this expects should have come. */
    boolean concern(LogDeclaration declaration) {
      return switch (declaration.owner()) {
        case Method method -> hasSucceeded(method);
        case Class<?> type ->
            !succeeded.isEmpty() && tests(type).stream().allMatch(this::hasSucceeded);
        default -> true;
      };
    }

    private boolean hasSucceeded(Method method) {
      return succeeded.contains(method) && !failed.contains(method);
    }

    void check() throws InterruptedException {
      TestOwner owner = TestOwner.of(context);
      long deadline =
          System.nanoTime()
              + context
                  .getConfigurationParameter(PATIENCE_PARAMETER, Duration::parse)
                  .orElse(PATIENCE)
                  .toNanos();
      List<LogDeclaration> missing = missing(owner);
      while (!missing.isEmpty()) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(
              "%s expected to log:%s"
                  .formatted(
                      owner.className(),
                      missing.stream()
                          .map(each -> "\n  " + each.description())
                          .collect(Collectors.joining())));
        }
        Thread.sleep(LOOK_EVERY);
        missing = missing(owner);
      }
    }

    private List<LogDeclaration> missing(TestOwner owner) {
      return owner.log().missing().stream().filter(this::concern).toList();
    }
  }

  private static Set<Method> tests(Class<?> type) {
    return new HashSet<>(
        ReflectionSupport.findMethods(
            type,
            method -> AnnotationSupport.isAnnotated(method, Testable.class) && !isLeftOut(method),
            HierarchyTraversalMode.TOP_DOWN));
  }

  /** Whether {@code ./mvnw verify} doesn't run it. */
  private static boolean isLeftOut(AnnotatedElement element) {
    return AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream()
        .anyMatch(tag -> tag.value().equals("nightly") || tag.value().equals("landing"));
  }

  /** The first that a class stores is the last that JUnit closes: after {@link Leaks}. */
  @Override
  public void beforeAll(ExtensionContext context) {
    TestOwner owner = TestOwner.of(context);
    if (!TestOwner.isNested(context.getRequiredTestClass())) {
      Outcomes outcomes = new Outcomes(context);
      ExtensionContext.Store store = context.getStore(NAMESPACE);
      store.put(CHECK, (AutoCloseable) outcomes::check);
      store.put(Outcomes.class, outcomes);
      LogReports.begin("junit-jupiter", owner);
    }
    owner.log().declare(LogDeclaration.at(context.getRequiredTestClass()));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TestOwner.of(context).log().declare(LogDeclaration.at(context.getRequiredTestMethod()));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Outcomes outcomes = outcomes(context);
    Method method = context.getRequiredTestMethod();
    context
        .getExecutionException()
        .ifPresentOrElse(
            failure -> {
              if (!(failure instanceof TestAbortedException)) {
                outcomes.failed.add(method);
              }
            },
            () -> outcomes.succeeded.add(method));
  }

  /** The outcomes in the store of the outermost class, also for a method or a class within. */
  private static Outcomes outcomes(ExtensionContext context) {
    return Objects.requireNonNull(context.getStore(NAMESPACE).get(Outcomes.class, Outcomes.class));
  }
}
