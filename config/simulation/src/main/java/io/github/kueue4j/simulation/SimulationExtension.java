// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.testdefaults.SimulatedClasses;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the tests of classes that are {@link Simulated}. */
@API(status = API.Status.INTERNAL)
public final class SimulationExtension implements InvocationInterceptor {
  private static final Namespace NAMESPACE = Namespace.create(SimulationExtension.class);

  /** Called by the service loader. */
  public SimulationExtension() {}

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> constructor,
      ExtensionContext context)
      throws Throwable {
    return within(invocation, context);
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  private static <T> T within(Invocation<T> invocation, ExtensionContext context) throws Throwable {
    if (context.getTestMethod().isEmpty()
        || !SimulatedClasses.include(context.getRequiredTestClass())) {
      return invocation.proceed();
    }
    Simulation simulation =
        context
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(
                Running.class,
                absent -> new Running(Simulation.of(Seeds.of(context.getUniqueId())), context),
                Running.class)
            .simulation();
    try {
      return simulation.run("test", () -> proceed(invocation));
    } catch (Wrapped wrapped) {
      Throwable failure = Objects.requireNonNull(wrapped.getCause());
      failure.addSuppressed(new Seeds.Failed(simulation));
      throw failure;
    } catch (SimulationException stuck) {
      stuck.addSuppressed(new Seeds.Failed(simulation));
      throw stuck;
    }
  }

  private static <T> T proceed(Invocation<T> invocation) {
    try {
      return invocation.proceed();
    } catch (Throwable failure) {
      throw new Wrapped(failure);
    }
  }

  /** Ends with the test, and reports what two runs with the same seed must have in common. */
  private record Running(Simulation simulation, ExtensionContext test) implements AutoCloseable {
    @Override
    public void close() {
      try {
        simulation.close();
      } catch (SimulationException stuck) {
        stuck.addSuppressed(new Seeds.Failed(simulation));
        throw stuck;
      } finally {
        test.publishReportEntry(
            Map.of(
                "seed", Long.toString(simulation.seed()),
                "steps", Long.toString(simulation.steps()),
                "trace", Long.toHexString(simulation.trace())));
      }
    }
  }

  /** Carries what a test threw, which may be any Throwable. */
  private static final class Wrapped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Wrapped(Throwable cause) {
      super(cause);
    }
  }
}
