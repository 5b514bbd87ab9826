// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isInterface;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import org.apiguardian.api.API;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets methods of the project and of its tests wait for a random time when they are called, so that
 * events come in orders that a quiet machine doesn't show. Only where {@code -Dkueue4j.delays} says
 * by which {@linkplain DelayRule#parse rules}.
 */
@API(status = API.Status.INTERNAL)
public final class RandomDelays implements LauncherSessionListener {
  private static final String PROPERTY = "kueue4j.delays";
  private static final String PROJECT = "io.github.kueue4j.";
  private static final String SIMULATIONS = PROJECT + "simulation.";

  /** Between two waits of a method for which there is no rule of its own. */
  private static final Duration GAP = Duration.ofMillis(20);

  private static final Map<String, Place> PLACES = new ConcurrentHashMap<>();
  private static volatile List<DelayRule> rules = List.of();
  private static volatile RandomGenerator random = new Random(0);
  private static final ThreadLocal<Boolean> NONE_HERE = ThreadLocal.withInitial(() -> false);

  /** A method that may wait, and before when it doesn't. */
  private record Place(Optional<DelayRule> rule, AtomicLong notBefore) {
    static Place of(String method) {
      return new Place(
          rules.stream().filter(rule -> rule.fits(method)).findFirst(),
          new AtomicLong(System.nanoTime()));
    }
  }

  /** Called by the service loader. */
  public RandomDelays() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String wanted = System.getProperty(PROPERTY, "");
    if (!wanted.isEmpty()) {
      install(DelayRule.parse(wanted), new Random());
    }
  }

  /**
   * Lets the methods of classes that aren't loaded yet wait.
   *
   * @param dice says which calls wait and how long; for several threads at once
   */
  public static void install(List<DelayRule> wanted, RandomGenerator dice) {
    rules = wanted;
    random = dice;
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .type(
            nameStartsWith(PROJECT)
                .and(not(nameStartsWith(RandomDelays.class.getPackageName())))
                .and(not(nameStartsWith(SIMULATIONS))) // Asked for the time here.
                .and(not(isInterface())))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(OnEnter.class)
                        .on(
                            isMethod()
                                .and(not(isAbstract()))
                                .and(not(isNative()))
                                .and(
                                    not(
                                        namedOneOf(
                                            "toString", "hashCode", "equals", "compareTo"))))))
        .installOn(ByteBuddyAgent.install());
  }

  /**
   * Computes without delays on this thread. For computations that share nothing with other threads:
   * delays can't change their order, and with millions of calls they take minutes.
   */
  public static <T> T without(Callable<T> computation) throws Exception {
    boolean before = NONE_HERE.get();
    NONE_HERE.set(true);
    try {
      return computation.call();
    } finally {
      NONE_HERE.set(before);
    }
  }

  /** The code that is put before that of the methods. */
  private static final class OnEnter {
    @Advice.OnMethodEnter
    static void enter(@Advice.Origin("#t.#m") String method) {
      RandomDelays.before(method);
    }
  }

  /** Called by the methods: waits, or doesn't. */
  public static void before(String method) {
    if (NONE_HERE.get()) {
      return;
    }
    Place place = PLACES.computeIfAbsent(method, Place::of);
    if (place.rule().isEmpty() || Thread.currentThread().isInterrupted()) {
      return;
    }
    DelayRule rule = place.rule().get();
    if (rule.where().isEmpty() && !isTurn(place)) {
      return;
    }
    if (random.nextDouble(100) >= rule.percent()) {
      return;
    }
    try {
      Thread.sleep(random.nextLong(rule.longest().toMillis() + 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isTurn(Place place) {
    long now = System.nanoTime();
    long notBefore = place.notBefore().get();
    return now - notBefore >= 0 && place.notBefore().compareAndSet(notBefore, now + GAP.toNanos());
  }
}
