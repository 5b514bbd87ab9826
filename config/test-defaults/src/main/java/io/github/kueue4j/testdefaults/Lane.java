// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * The tests that a run takes: all, or with {@code -Dkueue4j.lane=...} those of one lane.
 *
 * <ul>
 *   <li>{@code pure}: those that only use the processor. They name, themselves and through their
 *       fixtures, nothing that waits, no thread, no socket, no process, no cluster and no run of
 *       tests, since jqwik can't run twice at the same time; or they run in {@linkplain
 *       SimulatedClasses simulations}, where waiting takes no time; a class that makes its
 *       simulations itself has the tag {@code simulates}.
 *   <li>{@code real}: the others.
 *   <li>{@code quick}: those that only compute, aren't simulated and haven't the tag {@code
 *       thorough}, and of the others those with the tag {@code quick}.
 * </ul>
 */
@API(status = API.Status.INTERNAL)
public final class Lane implements PostDiscoveryFilter {
  static final String PROPERTY = "kueue4j.lane";
  static final String ALL = "all";

  private static final TestTag QUICK = TestTag.create("quick");

  /** The tag of tests that only compute, but for long. */
  private static final TestTag THOROUGH = TestTag.create("thorough");

  /** The tag of tests that make their simulations themselves. */
  private static final TestTag SIMULATES = TestTag.create("simulates");

  /** What a test names that doesn't only compute: prefixes of names of classes. */
  private static final List<String> REAL =
      List.of(
          "org.awaitility.",
          "java.lang.ProcessBuilder",
          "java.net.Socket",
          "java.net.ServerSocket",
          "java.net.http.HttpClient",
          "java.nio.channels.",
          "com.sun.net.httpserver.",
          "okhttp3.OkHttpClient",
          "org.testcontainers.",
          "org.junit.platform.launcher.",
          "io.github.kueue4j.testdefaults.Act",
          "io.github.kueue4j.testdefaults.FakePrometheus",
          "io.github.kueue4j.testdefaults.RealPrometheus",
          "io.github.kueue4j.apiserver.EmbeddedApiServer",
          "io.github.kueue4j.runtime.client.ClusterConnection",
          "io.github.kueue4j.testkit.");

  /** Whether classes only compute: the platform asks about each of their methods. */
  private static final Map<Class<?>, Boolean> PURE = new ConcurrentHashMap<>();

  /** The lanes, as the property names them. */
  private enum Choice {
    ALL,
    PURE,
    REAL,
    QUICK
  }

  private final Choice choice;

  /** Called by the service loader. */
  public Lane() {
    this(System.getProperty(PROPERTY, ALL));
  }

  private Lane(String wanted) {
    choice = choice(wanted);
  }

  /**
   * The filter of a lane.
   *
   * @throws IllegalArgumentException if there is none of this name; says which there are
   */
  public static Lane named(String lane) {
    return new Lane(lane);
  }

  private static Choice choice(String wanted) {
    return Stream.of(Choice.values())
        .filter(each -> each.name().equalsIgnoreCase(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "-D%s=%s names no lane; write %s"
                        .formatted(
                            PROPERTY,
                            wanted,
                            Stream.of(Choice.values())
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")))));
  }

  /** The platform removes what has no children left: so it is asked about every method, too. */
  @Override
  public FilterResult apply(TestDescriptor descriptor) {
    return FilterResult.includedIf(
        choice == Choice.ALL
            || testClass(descriptor).filter(type -> !isTaken(type, descriptor)).isEmpty());
  }

  private static Optional<Class<?>> testClass(TestDescriptor descriptor) {
    Optional<TestDescriptor> each = Optional.of(descriptor);
    while (each.isPresent()) {
      if (each.get().getSource().orElse(null) instanceof ClassSource source) {
        return Optional.of(source.getJavaClass());
      }
      each = each.get().getParent();
    }
    return Optional.empty();
  }

  private boolean isTaken(Class<?> type, TestDescriptor descriptor) {
    return switch (choice) {
      case ALL -> true;
      case PURE -> usesProcessorOnly(type, descriptor);
      case REAL -> !usesProcessorOnly(type, descriptor);
      case QUICK ->
          descriptor.getTags().contains(QUICK)
              || (isPure(type) && !descriptor.getTags().contains(THOROUGH));
    };
  }

  private static boolean usesProcessorOnly(Class<?> type, TestDescriptor descriptor) {
    return SimulatedClasses.include(type)
        || isPure(type)
        || descriptor.getTags().contains(SIMULATES);
  }

  /** Whether the class only computes. */
  public static boolean isPure(Class<?> type) {
    return PURE.computeIfAbsent(
        outermost(type),
        test ->
            ReachedClasses.of(test).stream()
                .noneMatch(name -> REAL.stream().anyMatch(name::startsWith)));
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> around = type;
    while (around.getEnclosingClass() != null) {
      around = around.getEnclosingClass();
    }
    return around;
  }
}
