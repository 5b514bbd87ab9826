// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static org.junit.platform.engine.TestExecutionResult.successful;
import static org.junit.platform.engine.support.hierarchical.ExclusiveResource.GLOBAL_KEY;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoveryIssue;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.SelectorResolutionResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.engine.support.hierarchical.Node;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * Runs the tests of all modules in one JVM, for {@code config/tests}: first the {@linkplain Lane
 * lane} of those that only compute, as many classes at once as there are cores, then the others.
 * Beside the first lane run its properties of jqwik and the rules of ArchUnit, whose engines have
 * one thread. Surefire asks the engines about each class by itself, which takes as long as a tenth
 * of the tests; this engine looks for tests when it runs.
 */
@API(status = API.Status.INTERNAL)
public final class TogetherEngine implements TestEngine {
  static final String ID = "kueue4j-together";

  /** The system property that asks for this engine, with the tags of tests that don't run. */
  static final String LEFT_OUT = "kueue4j.together.left-out";

  private static final String STRATEGY = "junit.jupiter.execution.parallel.config.strategy";
  private static final String PURE = "pure";
  private static final String REAL = "real";
  private static final String JUPITER = "junit-jupiter";

  /** Whether a build's tests run: what these discover themselves is not for this engine. */
  private static final AtomicBoolean RUNNING = new AtomicBoolean();

  private final @Nullable String leftOut;
  private final String lane;
  private final AtomicBoolean isRunning;

  /** Called by the service loader. */
  public TogetherEngine() {
    this(System.getProperty(LEFT_OUT), System.getProperty(Lane.PROPERTY, Lane.ALL), RUNNING);
  }

  private TogetherEngine(@Nullable String leftOut, String lane, AtomicBoolean isRunning) {
    this.leftOut = leftOut;
    this.lane = lane;
    this.isRunning = isRunning;
  }

  /**
   * An engine for tests of this class, which run in a build's tests.
   *
   * @param leftOut the tags, as an expression, of tests that don't run; null where this engine
   *     isn't asked for
   */
  static TogetherEngine inner(@Nullable String leftOut, String lane) {
    return new TogetherEngine(leftOut, lane, new AtomicBoolean());
  }

  /** The classes that were asked for; what tests they have is found later. */
  private static final class AllTests extends EngineDescriptor {
    private final List<String> classes;

    AllTests(UniqueId id, List<String> classes) {
      super(id, "the tests of all modules");
      this.classes = List.copyOf(classes);
    }

    @Override
    public boolean mayRegisterTests() {
      return !classes.isEmpty();
    }
  }

  @Override
  public String getId() {
    return ID;
  }

  @Override
  public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
    boolean isAsked = leftOut != null && !isRunning.get();
    return new AllTests(
        id,
        isAsked
            ? request.getSelectorsByType(ClassSelector.class).stream()
                .map(ClassSelector::getClassName)
                .toList()
            : List.of());
  }

  @Override
  public void execute(ExecutionRequest request) {
    AllTests all = (AllTests) request.getRootTestDescriptor();
    EngineExecutionListener listener = request.getEngineExecutionListener();
    listener.executionStarted(all);
    listener.executionFinished(all, all.classes.isEmpty() ? successful() : result(all, request));
  }

  private TestExecutionResult result(AllTests all, ExecutionRequest request) {
    isRunning.set(true);
    try {
      if (!lane.equals(REAL)) {
        executeFirst(all, request);
      }
      if (lane.equals(Lane.ALL) || lane.equals(REAL)) {
        execute(all, request, REAL, TogetherEngine::isOther, Map.of());
        execute(all, request, REAL, JUPITER::equals, Map.of());
      }
      return successful();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return TestExecutionResult.failed(e);
    } catch (RuntimeException | Error e) {
      return TestExecutionResult.failed(e);
    } finally {
      isRunning.set(false);
    }
  }

  private void executeFirst(AllTests all, ExecutionRequest request) throws InterruptedException {
    String first = lane.equals(Lane.ALL) ? PURE : lane;
    FutureTask<Void> others =
        new FutureTask<>(
            () -> execute(all, request, first, TogetherEngine::isOther, Map.of()), null);
    Thread.ofPlatform().name("properties").start(others);
    Throwable failure = null;
    try {
      execute(
          all,
          request,
          first,
          JUPITER::equals,
          first.equals(PURE) ? Map.of(STRATEGY, "dynamic") : Map.of());
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    try {
      others.get();
    } catch (ExecutionException e) {
      if (failure == null) {
        failure = e.getCause();
      } else {
        failure.addSuppressed(e.getCause());
      }
    }
    if (failure != null) {
      throw new IllegalStateException("not all tests of the lane " + first + " ran", failure);
    }
  }

  private static boolean isOther(String engine) {
    return !engine.equals(JUPITER);
  }

  /** Finds and runs the tests of one lane that these engines know. */
  private void execute(
      AllTests all,
      ExecutionRequest request,
      String ofLane,
      Predicate<String> engines,
      Map<String, String> settings) {
    List<String> issues = new ArrayList<>();
    LauncherDiscoveryRequest wanted =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(all.classes.stream().map(DiscoverySelectors::selectClass).toList())
            .configurationParameters(settings)
            .listeners(
                new LauncherDiscoveryListener() {
                  @Override
                  public void issueEncountered(UniqueId engine, DiscoveryIssue issue) {
                    issues.add(issue.message());
                  }

                  @Override
                  public void selectorProcessed(
                      UniqueId engine,
                      DiscoverySelector selector,
                      SelectorResolutionResult result) {
                    result.getThrowable().ifPresent(cause -> issues.add(selector + ": " + cause));
                  }
                })
            .build();
    Filter<TestDescriptor> filter =
        Filter.composeFilters(Lane.named(ofLane), TagFilter.excludeTags(leftOut));
    for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
      if (!engine.getId().equals(ID) && engines.test(engine.getId())) {
        // As ever: seeds of simulations come from these names, and jqwik knows by them what failed.
        TestDescriptor tests = engine.discover(wanted, UniqueId.forEngine(engine.getId()));
        leaveOut(tests, filter);
        if (!ofLane.equals(REAL)) {
          refuseIsolated(tests);
        }
        register(all, tests, request.getEngineExecutionListener());
        engine.execute(
            ExecutionRequest.create(
                tests,
                request.getEngineExecutionListener(),
                wanted.getConfigurationParameters(),
                request.getOutputDirectoryCreator(),
                request.getStore()));
      }
    }
    if (!issues.isEmpty()) {
      throw new IllegalStateException("tests are not as their engines expect them: " + issues);
    }
  }

  private static void leaveOut(TestDescriptor tests, Filter<TestDescriptor> filter) {
    tests.accept(
        each -> {
          if (!each.isRoot() && filter.apply(each).excluded()) {
            each.removeFromHierarchy();
          }
        });
    tests.accept(TestDescriptor::prune);
  }

  /** Properties run beside the first lane. */
  private static void refuseIsolated(TestDescriptor tests) {
    List<String> isolated =
        tests.getDescendants().stream()
            .filter(
                each ->
                    each instanceof Node<?> node
                        && node.getExclusiveResources().stream()
                            .anyMatch(resource -> resource.getKey().equals(GLOBAL_KEY)))
            .map(TestDescriptor::getDisplayName)
            .toList();
    if (!isolated.isEmpty()) {
      throw new IllegalStateException(
          "properties run beside these classes, so they can't be @Isolated: " + isolated);
    }
  }

  private static void register(
      TestDescriptor parent, TestDescriptor tests, EngineExecutionListener listener) {
    synchronized (parent) {
      parent.addChild(tests);
    }
    tests.accept(listener::dynamicTestRegistered);
  }
}
