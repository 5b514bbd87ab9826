// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.none;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.utility.JavaModule;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves something behind: a thread, an open port, a process, a temporary
 * file or folder that it made and that is still there some seconds after its last test, everything
 * that JUnit closes for it included.
 *
 * <p>The JDK's own methods tell who makes what: they are instrumented when the tests begin. Of
 * classes with properties of jqwik {@link PropertyLifecycle} asks for the check.
 */
@API(status = API.Status.INTERNAL)
public final class Leaks implements BeforeAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(Leaks.class);

  /** What is told to end needs a moment, on a busy machine some more. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** What ends anyway has ended by then, and what was left on purpose never does. */
  private static final Duration PATIENCE_WITH_PLANTED = Duration.ofMillis(200);

  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  /**
   * The thread of an abandoned executor, such as that of a queue of the official client, ends when
   * the executor is collected, which may never happen where a test runs alone.
   */
  private static final Duration COLLECT_AFTER = Duration.ofSeconds(12);

  private static final AtomicBoolean RECORDS = new AtomicBoolean();
  private static final AtomicReference<@Nullable RuntimeException> BLIND = new AtomicReference<>();

  private static final String PROJECT = "io.github.kueue4j.";
  private static final String OWN = Leaks.class.getPackageName() + '.';

  /**
   * Threads of libraries that all classes share and that belong to none: those of the common pool,
   * of OkHttp's and Okio's one set for all clients, and of the JDK's waiting for sockets. Those
   * that answer the requests of a simulation, of which there are very many, end before it does: it
   * fails otherwise.
   */
  private static final Pattern SHARED =
      Pattern.compile(
          "ForkJoinPool[.-].*|OkHttp TaskRunner|Okio Watchdog|SubPoller-\\d+|JFR .*|junit-.*"
              + "|CompletableFutureDelayScheduler|process reaper.*|JNA Cleaner|api [A-Z]+ /.*");

  /** What native libraries of Helm and of JNA are unpacked into, once in a JVM. */
  private static final Pattern SHARED_FOLDER = Pattern.compile("(helm-java|jna)-?\\d.*");

  /** The JDK's own threads, such as those of timers of kept connections and of cleaners. */
  private static final String JDK_THREAD = "jdk.internal.misc.InnocuousThread";

  /** Called by the service loader. */
  public Leaks() {}

  /** Begins to take note of what is made, once in a JVM. */
  static void record() {
    if (!RECORDS.compareAndSet(false, true)) {
      return;
    }
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .ignore(none())
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .with(
            new AgentBuilder.RedefinitionStrategy.DiscoveryStrategy.Explicit(
                Thread.class,
                type("java.lang.VirtualThread"),
                ServerSocket.class,
                type("sun.nio.ch.ServerSocketChannelImpl"),
                type("java.nio.file.TempFileHelper"),
                ProcessBuilder.class))
        .with(new Listener())
        .type(named("java.lang.Thread").or(named("java.lang.VirtualThread")))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(OnStart.class).on(method("start"))))
        .type(named("java.net.ServerSocket").or(named("sun.nio.ch.ServerSocketChannelImpl")))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(OnStart.class).on(method("bind").and(takesArguments(2)))))
        .type(named("java.nio.file.TempFileHelper"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(OnReturn.class).on(method("create").and(takesArguments(5)))))
        .type(named("java.lang.ProcessBuilder"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(OnReturn.class).on(method("start").and(takesArguments(1)))))
        .installOn(ByteBuddyAgent.install());
  }

  private static ElementMatcher.Junction<MethodDescription> method(String name) {
    return named(name).and(not(isConstructor()));
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " is no class of this JDK; leaks can't be found", e);
    }
  }

  /** A class that can't be instrumented would make the check blind: it fails all tests. */
  private static final class Listener extends AgentBuilder.Listener.Adapter {
    @Override
    public void onError(
        String typeName,
        @Nullable ClassLoader loader,
        @Nullable JavaModule module,
        boolean loaded,
        Throwable failure) {
      BLIND.compareAndSet(
          null,
          new IllegalStateException(
              "leaks can't be found: " + typeName + " can't be instrumented", failure));
    }
  }

  // Both are copied into the JDK's classes, which can't see those of tests: the way out is the
  // handler of uncaught exceptions, which is a Consumer as well.

  /** Before the start of a thread and the opening of a port. */
  private static final class OnStart {
    @Advice.OnMethodEnter
    @SuppressWarnings("unchecked")
    static void enter(@Advice.This Object made) {
      if (Thread.getDefaultUncaughtExceptionHandler() instanceof Consumer<?> consumer) {
        ((Consumer<Object>) consumer).accept(made);
      }
    }
  }

  /** After the start of a process and the making of a file or folder. */
  private static final class OnReturn {
    @Advice.OnMethodExit
    @SuppressWarnings("unchecked")
    static void exit(@Advice.Return Object made) {
      if (Thread.getDefaultUncaughtExceptionHandler() instanceof Consumer<?> consumer) {
        ((Consumer<Object>) consumer).accept(made);
      }
    }
  }

  /** Called by the JDK's methods, in the thread that makes it. */
  static void made(Object thing) {
    TestOwner owner = TestOwner.current();
    if (owner != null && !isShared(thing)) {
      owner.made(new Made(thing, where()));
    }
  }

  private static boolean isShared(Object thing) {
    return switch (thing) {
      case Thread thread ->
          thread.getClass().getName().equals(JDK_THREAD)
              || SHARED.matcher(thread.getName()).matches();
      case Path path -> SHARED_FOLDER.matcher(path.getFileName().toString()).matches();
      default -> false;
    };
  }

  /**
   * The innermost line of the project and the outermost, which is most often the test's. In words
   * only when they are asked for: few things leak.
   */
  private static Supplier<String> where() {
    List<StackWalker.StackFrame> lines =
        StackWalker.getInstance()
            .walk(frames -> frames.filter(frame -> isProject(frame.getClassName())).toList());
    if (lines.isEmpty()) {
      String thread = Thread.currentThread().getName();
      return () -> "code of a library, in thread '" + thread + "'";
    }
    StackWalker.StackFrame first = lines.getFirst();
    StackWalker.StackFrame last = lines.getLast();
    return lines.size() == 1 ? first::toString : () -> first + " < " + last;
  }

  private static boolean isProject(String className) {
    return className.startsWith(PROJECT) && !className.startsWith(OWN);
  }

  /** The first that a class stores is the last that JUnit closes, after all extensions. */
  @Override
  public void beforeAll(ExtensionContext context) {
    failIfBlind();
    if (TestOwner.isNested(context.getRequiredTestClass())) {
      return; // The class around it answers for it.
    }
    TestOwner owner = TestOwner.of(context);
    context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            TestOwner.class, unused -> (AutoCloseable) () -> check(owner), AutoCloseable.class);
  }

  /**
   * To be called before the tests of a class.
   *
   * @throws IllegalStateException if what they make can't be seen
   */
  static void failIfBlind() {
    RuntimeException blind = BLIND.get();
    if (blind != null) {
      throw blind;
    }
  }

  /**
   * To be called after the tests of a class: waits until what they made has gone.
   *
   * @throws AssertionError if it doesn't go, or if a thread among it died of an exception
   */
  static void check(TestOwner owner) throws InterruptedException {
    Duration patience = owner.leavesOnPurpose() ? PATIENCE_WITH_PLANTED : PATIENCE;
    long begin = System.nanoTime();
    long deadline = begin + patience.toNanos();
    boolean collected = false;
    List<Made> alive = owner.alive();
    while (!alive.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%s left behind:%s"
                .formatted(
                    owner.className(),
                    alive.stream()
                        .map(made -> "\n  " + made.description())
                        .collect(Collectors.joining())));
      }
      if (!collected && System.nanoTime() - begin > COLLECT_AFTER.toNanos()) {
        System.gc();
        collected = true;
      }
      Thread.sleep(LOOK_EVERY);
      alive = owner.alive();
    }
    UncaughtExceptions.failIfAny(owner); // Of threads that ended only now.
  }
}
