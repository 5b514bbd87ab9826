// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.jqwik.api.Group;
import net.jqwik.api.lifecycle.AfterContainerHook;
import net.jqwik.api.lifecycle.BeforeContainerHook;
import net.jqwik.api.lifecycle.ContainerLifecycleContext;
import net.jqwik.api.lifecycle.PropagationMode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Holds classes with properties of jqwik to what Jupiter's extensions hold the others to: {@link
 * Leaks}, {@link UncaughtExceptions} and {@link LogReports}.
 *
 * <p>Only jqwik loads it, so that modules without jqwik need none.
 */
@SuppressWarnings("overloads") // Each kind of hook has a compareTo for its own kind.
@API(status = API.Status.INTERNAL)
public final class PropertyLifecycle implements BeforeContainerHook, AfterContainerHook {
  /** Farther from the properties than whatever a class does before and after them. */
  private static final int OUTERMOST = -1000;

  private final Map<Class<?>, Turn> turns = new ConcurrentHashMap<>();

  /**
   * The time between a class's begin and its end.
   *
   * @param before the owner of what the thread makes outside of it, if a test runs the class
   */
  private record Turn(TestOwner owner, @Nullable TestOwner before) {}

  /** Called by the service loader. */
  public PropertyLifecycle() {}

  /** To all classes; registered by the service loader, it would be the engine's own otherwise. */
  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public int beforeContainerProximity() {
    return OUTERMOST;
  }

  @Override
  public int afterContainerProximity() {
    return OUTERMOST;
  }

  /** Properties run in the thread that calls this. */
  @Override
  public void beforeContainer(ContainerLifecycleContext context) {
    type(context)
        .ifPresent(
            type -> {
              Leaks.failIfBlind();
              Turn turn = new Turn(new TestOwner(type), TestOwner.current());
              turns.put(type, turn);
              TestOwner.makeCurrent(turn.owner());
              LogReports.begin("jqwik", turn.owner());
            });
  }

  @Override
  public void afterContainer(ContainerLifecycleContext context) throws InterruptedException {
    Optional<Turn> ended = type(context).map(turns::remove);
    if (ended.isPresent()) {
      TestOwner owner = ended.get().owner();
      TestOwner.makeCurrent(ended.get().before());
      UncaughtExceptions.failIfAny(owner);
      Leaks.check(owner);
    }
  }

  /** Empty for the engine, and for a group of properties: the class around it answers for it. */
  private static Optional<Class<?>> type(ContainerLifecycleContext context) {
    return context.optionalContainerClass().filter(type -> !type.isAnnotationPresent(Group.class));
  }
}
