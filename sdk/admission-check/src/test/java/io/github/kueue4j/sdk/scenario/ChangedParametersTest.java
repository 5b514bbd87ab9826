// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a change of parameters does to what waits, and to what runs. */
@ExpectedLog(logger = "AdmissionChecks", message = "The AdmissionCheck is no longer Active")
class ChangedParametersTest extends WindowFixture {

  /**
   * As when a replica of an older version reads what was written for a newer one: what waits goes
   * on waiting, what runs goes on running, and a delay stays as it is.
   */
  @Test
  void aKeyThatIsNotKnownEndsNothing() throws Exception {
    define();
    refer("ops.example.com", "MaintenanceWindow");
    window("0");
    run(
        Parameters.from(WINDOWS, CustomResource::spec),
        evaluation ->
            evaluation.key().name().equals("delayed")
                ? Verdict.retry(Reason.of("Closed"), "closed", Delay.exactly(Duration.ofHours(9)))
                : Verdict.ready("open"),
        builder -> builder.recheckReadyEvery(Duration.ofMinutes(1)));
    ObjectKey running = kueue.workload("running");
    kueue.reserve(running, "window");
    await().until(() -> kueue.entry(running, "window").is(CheckState.READY));
    kueue.condition(running, "Admitted", true, "Admitted");
    ObjectKey delayed = kueue.workload("delayed");
    kueue.reserve(delayed, "window");
    await().until(() -> Integer.valueOf(9 * 3600).equals(delay(delayed)));
    kueue.evict(delayed, "AdmissionCheck");
    kueue.release(delayed);

    window("0\", clossedFor: \"1h");
    String bad =
        "the MaintenanceWindow 'cfg' can't be used: spec.clossedFor is '1h': there is no such"
            + " field; did you mean 'closedFor'?";
    awaitBad(bad);
    ObjectKey waiting = kueue.workload("waiting");
    kueue.reserve(waiting, "window");
    await()
        .until(
            () ->
                kueue.entry(waiting, "window").message().equals("The check is not active: " + bad));
    time.advance(Duration.ofMinutes(10));

    assertThat(kueue.entry(waiting, "window").is(CheckState.PENDING)).isTrue();
    assertThat(kueue.entry(running, "window").is(CheckState.READY)).isTrue();
    assertThat(delay(delayed)).isEqualTo(9 * 3600);
    window("0");
    await().until(() -> kueue.entry(waiting, "window").is(CheckState.READY));
  }

  @Test
  void aMovedWindowEndsTheDelaysThatItMade() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    refer("v1", "ConfigMap");
    configMap("hours", "14");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        evaluation -> {
          calls.incrementAndGet();
          return CHECK.evaluate(evaluation);
        },
        builder -> builder);
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> Integer.valueOf(14 * 3600).equals(delay(job)));
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);

    configMap("hours", "0");

    await().until(() -> Integer.valueOf(0).equals(delay(job)));
    assertThat(kueue.entry(job, "window").message())
        .isEqualTo("The parameters of this check have changed: its delay has ended");
    assertThat(kueue.entry(job, "window").is(CheckState.RETRY)).isTrue();
    assertThat(calls).as("it isn't asked without quota").hasValue(1);
  }

  @Test
  void aProbeThatHangsDoesNotHoldUpTheNews() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicInteger probes = new AtomicInteger();
    refer("v1", "ConfigMap");
    configMap("hours", "14");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        new ProbingCheck<>() {
          @Override
          public Verdict evaluate(Evaluation<Window> evaluation) throws Exception {
            return CHECK.evaluate(evaluation);
          }

          @Override
          public BackendHealth probe(String check, Window parameters) throws Exception {
            if (probes.incrementAndGet() > 1) {
              hangs.countDown();
              end.await();
            }
            return BackendHealth.up();
          }
        },
        builder -> builder.guards(Guards.defaults().withTimeout(Duration.ofMinutes(10))));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> Integer.valueOf(14 * 3600).equals(delay(job)));
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return hangs.getCount() == 0;
            });

    configMap("hours", "0");

    await().until(() -> Integer.valueOf(0).equals(delay(job)));
    end.countDown();
  }

  /** What was asked is answered; what comes later waits, and says why. */
  @Test
  void parametersThatAreDeletedWhileACheckThinks() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    refer("v1", "ConfigMap");
    configMap("hours", "0");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        evaluation -> {
          asked.countDown();
          answer.await();
          return CHECK.evaluate(evaluation);
        },
        builder -> builder);
    ObjectKey first = kueue.workload("first");
    kueue.reserve(first, "window");
    asked.await();

    kueue
        .api()
        .delete(CoreTypes.CONFIG_MAP, new ObjectKey(SETTINGS, "cfg"), DeleteOptions.background());
    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' does not exist: create it, or correct"
            + " spec.parameters.name");
    answer.countDown();
    await().until(() -> kueue.entry(first, "window").is(CheckState.READY));

    ObjectKey second = kueue.workload("second");
    kueue.reserve(second, "window");
    await()
        .until(
            () ->
                kueue
                    .entry(second, "window")
                    .message()
                    .startsWith("The check is not active: the ConfigMap 'cfg'"));
    assertThat(kueue.entry(second, "window").is(CheckState.PENDING)).isTrue();
    configMap("hours", "0");
    await().until(() -> kueue.entry(second, "window").is(CheckState.READY));
  }
}
