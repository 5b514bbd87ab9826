// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.junit;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.testkit.script.KueueCluster;
import io.github.kueue4j.testkit.script.KueueScript;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Gives tests their cluster; see {@link KueueTest}. */
@API(status = API.Status.INTERNAL, since = "0.1")
final class KueueExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        ParameterResolver,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(KueueExtension.class);
  private static final Set<Class<?>> INJECTED =
      Set.of(
          KueueCluster.class,
          KueueScript.class,
          EmbeddedApiServer.class,
          TimeSource.class,
          ManualTime.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    if (settings(context).lifetime() == KueueTest.Lifetime.CLASS) {
      KueueCluster cluster = cluster(context);
      fields(context.getRequiredTestClass(), true).forEach(field -> set(field, null, cluster));
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    KueueCluster cluster = cluster(context);
    for (Object test : context.getRequiredTestInstances().getAllInstances()) {
      fields(test.getClass(), false).forEach(field -> set(field, test, cluster));
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return INJECTED.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return part(parameter.getParameter().getType(), cluster(context));
  }

  private static Iterable<Field> fields(Class<?> test, boolean ofTheClass) {
    return ReflectionSupport.findFields(
        test,
        field ->
            INJECTED.contains(field.getType())
                && !Modifier.isFinal(field.getModifiers())
                && Modifier.isStatic(field.getModifiers()) == ofTheClass,
        HierarchyTraversalMode.TOP_DOWN);
  }

  private static void set(Field field, @Nullable Object test, KueueCluster cluster) {
    try {
      field.setAccessible(true);
      field.set(test, part(field.getType(), cluster));
    } catch (IllegalAccessException e) {
      throw new ExtensionConfigurationException("can't set " + field, e);
    }
  }

  private static Object part(Class<?> type, KueueCluster cluster) {
    if (type == KueueCluster.class) {
      return cluster;
    }
    if (type == KueueScript.class) {
      return cluster.script();
    }
    if (type == EmbeddedApiServer.class) {
      return cluster.server();
    }
    if (type == ManualTime.class && !(cluster.time() instanceof ManualTime)) {
      throw new ExtensionConfigurationException(
          "there is no ManualTime with virtualTime = false; ask for a TimeSource");
    }
    return cluster.time();
  }

  /** The cluster of this context; the store closes it with the context that it was made for. */
  private static KueueCluster cluster(ExtensionContext context) {
    KueueTest settings = settings(context);
    boolean shared = settings.lifetime() == KueueTest.Lifetime.CLASS;
    if (!shared && context.getTestMethod().isEmpty()) {
      throw new ExtensionConfigurationException(
          "there is no cluster yet: each test method has its own; use lifetime = CLASS to share"
              + " one");
    }
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            KueueCluster.class,
            unused ->
                settings.secure()
                    ? KueueCluster.secure(time(settings), patience(settings))
                    : KueueCluster.of(time(settings), patience(settings)),
            KueueCluster.class);
  }

  private static TimeSource time(KueueTest settings) {
    if (settings.virtualTime()) {
      try {
        return new ManualTime(Instant.parse(settings.start()));
      } catch (DateTimeParseException e) {
        throw new ExtensionConfigurationException(
            "start of @KueueTest is \""
                + settings.start()
                + "\"; use a date such as "
                + ManualTime.DEFAULT_START,
            e);
      }
    }
    if (!settings.start().equals(ManualTime.DEFAULT_START)) {
      throw new ExtensionConfigurationException(
          "start of @KueueTest is "
              + settings.start()
              + ", but the machine's clock can't be set; drop it, or virtualTime = false");
    }
    return TimeSource.system();
  }

  private static Duration patience(KueueTest settings) {
    try {
      Duration patience = GoDuration.parse(settings.patience());
      if (patience.isPositive()) {
        return patience;
      }
    } catch (IllegalArgumentException e) {
      throw noPatience(settings, e);
    }
    throw noPatience(settings, null);
  }

  private static ExtensionConfigurationException noPatience(
      KueueTest settings, @Nullable Exception cause) {
    return new ExtensionConfigurationException(
        "patience of @KueueTest is \"" + settings.patience() + "\"; use a time such as 5s", cause);
  }

  private static KueueTest settings(ExtensionContext context) {
    return context
        .getElement()
        .flatMap(element -> AnnotationSupport.findAnnotation(element, KueueTest.class))
        .or(() -> context.getParent().flatMap(KueueExtension::inherited))
        .orElseThrow(() -> new ExtensionConfigurationException("no @KueueTest here"));
  }

  private static Optional<KueueTest> inherited(ExtensionContext context) {
    return context
        .getElement()
        .flatMap(element -> AnnotationSupport.findAnnotation(element, KueueTest.class))
        .or(() -> context.getParent().flatMap(KueueExtension::inherited));
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw described(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw described(context, failure);
  }

  private static Throwable described(ExtensionContext context, Throwable failure) {
    KueueCluster cluster = context.getStore(NAMESPACE).get(KueueCluster.class, KueueCluster.class);
    if (cluster != null) {
      failure.addSuppressed(new ClusterAtFailure(cluster.describe()));
    }
    return failure;
  }
}
