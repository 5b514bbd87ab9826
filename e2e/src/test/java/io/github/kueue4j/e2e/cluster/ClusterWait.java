// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.e2e.assembly.WindableTime;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;

/**
 * Waits until a cluster stands as it should. Every wait has an end; one that is in vain names what
 * it waited for, and how everything stands then.
 */
public final class ClusterWait {
  private final KubernetesApi api;
  private final Duration patience;

  /** Runs after each look in vain. */
  private final Runnable afterLook;

  private ClusterWait(KubernetesApi api, Duration patience, Runnable afterLook) {
    this.api = api;
    this.patience = patience;
    this.afterLook = afterLook;
  }

  /**
   * Waits for what this API shows.
   *
   * @param patience real time for each wait
   */
  public static ClusterWait on(KubernetesApi api, Duration patience) {
    return new ClusterWait(api, patience, () -> {});
  }

  /**
   * The same, where time is the cluster's: in {@link #until} and {@link #untilPresent} each look in
   * vain skips one step of it, unless something was written since the look before. To skip a limit
   * of ten steps takes ten looks without a write, however busy the machine is, while time that ran
   * faster than the machine's would be beyond it within a moment.
   *
   * @param atEachLook the step
   */
  public ClusterWait passing(WindableTime time, Duration atEachLook) {
    AtomicReference<String> before = new AtomicReference<>("");
    return new ClusterWait(
        api,
        patience,
        () -> {
          // The version of a list is that of the whole server.
          String now = api.list(CoreTypes.NAMESPACE, ListOptions.all()).resourceVersion();
          if (now.equals(before.getAndSet(now))) {
            time.advance(atEachLook);
          }
        });
  }

  /** Waits until this holds, such as "train is admitted". */
  public void until(String what, Callable<Boolean> condition) {
    explained(
        what,
        () ->
            factory(what)
                .until(
                    () -> {
                      if (condition.call()) {
                        return true;
                      }
                      afterLook.run();
                      return false;
                    }));
  }

  /** Waits until there is something to return, such as a time that an object tells. */
  public <T> T untilPresent(String what, Callable<Optional<T>> question) {
    List<T> answer = new ArrayList<>();
    until(
        what,
        () -> {
          question.call().ifPresent(answer::add);
          return !answer.isEmpty();
        });
    return answer.getFirst();
  }

  /** Waits until this holds, and goes on holding for a while. */
  public void untilAndFor(Duration time, String what, Callable<Boolean> condition) {
    explained(what, () -> factory(what).during(time).until(condition));
  }

  /** Repeats a write that another client's may get in the way of. */
  public void untilWritten(String what, ThrowingRunnable write) {
    explained(
        what,
        () ->
            factory(what)
                .ignoreExceptionsInstanceOf(KubernetesApiException.Conflict.class)
                .untilAsserted(write));
  }

  private ConditionFactory factory(String what) {
    return await().alias(what).atMost(patience);
  }

  private void explained(String what, Runnable wait) {
    try {
      wait.run();
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "waited %s in vain: %s%n%s".formatted(patience, what, ClusterState.of(api)), e);
    }
  }
}
