// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.RecordReader;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where parameters come from, and what is said while they make no sense. */
@ExpectedLog(logger = "AdmissionChecks", message = "The AdmissionCheck is no longer Active")
class ParametersTest extends WindowFixture {

  @ParameterizedTest
  @ValueSource(strings = {"v1", "core"})
  void aConfigMapOfANamespace(String group) throws Exception {
    refer(group, "ConfigMap");
    configMap("hours", "2");
    run(Parameters.configMap(SETTINGS, Window::read));

    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");

    await().until(() -> kueue.entry(job, "window").is(CheckState.RETRY));
    assertThat(kueue.entry(job, "window").requeueAfterSeconds()).isEqualTo(7200);
    await().until(() -> kueue.active("window").isTrue());
  }

  @Test
  void aConfigMapAsARecordTellsTheKeyThatIsWrong() throws Exception {
    refer("v1", "ConfigMap");
    configMap("closedFor", "all night");
    run(Parameters.configMap(SETTINGS, Window.class));

    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.closedFor is 'all"
            + " night': write a duration such as 1h30m or 45s");

    configMap("closedFor", "0");
    await().until(() -> kueue.active("window").isTrue());
  }

  @Test
  void aKeyThatTheRecordDoesNotKnowIsRefused() throws Exception {
    refer("v1", "ConfigMap");
    configMap("closedFr", "2h");
    run(Parameters.configMap(SETTINGS, Window.class));

    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.closedFr is '2h':"
            + " there is no such field; did you mean 'closedFor'?");

    configMap("closedFor", "0", "owner", "team-a");
    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.owner is 'team-a':"
            + " there is no such field; known are closedFor");
  }

  @Test
  void keysThatAreNotKnownMayBeAllowed() throws Exception {
    refer("v1", "ConfigMap");
    configMap("closedFor", "0", "owner", "team-a");
    run(Parameters.configMap(SETTINGS, Window.class).allowingUnknownKeys());

    await().until(() -> kueue.active("window").isTrue());
  }

  @Test
  void aKeyThatHoldsJsonIsReadByTheAuthor() throws Exception {
    refer("v1", "ConfigMap");
    configMap("window", "{'closedfor': '2h'}");
    run(
        Parameters.configMap(
            SETTINGS,
            data ->
                RecordReader.readWrittenJson(
                    data.getOrDefault("window", "").replace('\'', '"'),
                    Window.class,
                    "data.window")));

    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.window.closedfor is"
            + " '2h': there is no such field; did you mean 'closedFor'?");
    configMap("window", "closedFor: 2h");
    awaitBad(
        "the ConfigMap 'cfg' in the namespace 'settings' can't be used: data.window is not one JSON"
            + " document");
  }

  @Test
  void aCustomResourceAsARecordOfItsSpec() throws Exception {
    define();
    refer("ops.example.com", "MaintenanceWindow");
    run(Parameters.of(WINDOWS));

    awaitBad(
        "the MaintenanceWindow 'cfg' does not exist: create it, or correct spec.parameters.name");
    window("soon");
    awaitBad(
        "the MaintenanceWindow 'cfg' can't be used: spec.closedFor is 'soon': write a duration such"
            + " as 1h30m or 45s");

    window("0");
    await().until(() -> kueue.active("window").isTrue());
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> kueue.entry(job, "window").is(CheckState.READY));
  }

  @Test
  void parametersThatNeedNotBeGiven() throws Exception {
    define();
    referToNothing();
    run(Parameters.of(WINDOWS).orElse(new Window(Duration.ofHours(2))));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> kueue.entry(job, "window").is(CheckState.RETRY));
    assertThat(kueue.entry(job, "window").requeueAfterSeconds()).isEqualTo(7200);

    refer("ops.example.com", "Other");
    awaitBad(
        "spec.parameters names a Other of group 'ops.example.com', which this check can't use:"
            + " write {apiGroup: ops.example.com, kind: MaintenanceWindow, name: cfg}");
  }

  @Test
  void parametersThatNeedNotBeGivenAndWhoseKindIsNotInstalled() throws Exception {
    referToNothing();
    run(Parameters.of(WINDOWS).orElse(new Window(Duration.ZERO)));
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "window");
    await().until(() -> kueue.entry(job, "window").is(CheckState.READY));

    refer("ops.example.com", "MaintenanceWindow");
    awaitBad(
        "the kind MaintenanceWindow is not installed: install the CustomResourceDefinition"
            + " maintenancewindows.ops.example.com, or leave out spec.parameters");

    define();
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return kueue.active("window").message().contains("does not exist");
            });
    window("2h");
    await().until(() -> kueue.active("window").isTrue());
    ObjectKey next = kueue.workload("next");
    kueue.reserve(next, "window");
    await().until(() -> kueue.entry(next, "window").is(CheckState.RETRY));
    assertThat(kueue.entry(next, "window").requeueAfterSeconds()).isEqualTo(7200);
  }

  @Test
  void theAuthorsOwnParserRefuses() throws Exception {
    define();
    refer("ops.example.com", "MaintenanceWindow");
    window("25h");
    run(
        Parameters.of(
            WINDOWS,
            window -> {
              if (window.closedFor().compareTo(Duration.ofHours(24)) > 0) {
                throw new IllegalArgumentException("spec.closedFor is 25h: write at most 24h");
              }
              return window;
            }));

    awaitBad("the MaintenanceWindow 'cfg' can't be used: spec.closedFor is 25h: write at most 24h");
  }

  @Test
  void aReferenceToAnotherKindSaysWhatToWrite() throws Exception {
    refer("apps", "Deployment");
    run(Parameters.configMap(SETTINGS, Window::read));

    awaitBad(
        "spec.parameters names a Deployment of group 'apps', which this check can't use: write"
            + " {apiGroup: v1, kind: ConfigMap, name: cfg}");
  }

  @Test
  void aReaderThatComplainsAtLengthIsCut() throws Exception {
    refer("v1", "ConfigMap");
    configMap("hours", "0");
    run(
        Parameters.configMap(
            SETTINGS,
            data -> {
              throw new IllegalArgumentException("no".repeat(500_000));
            }));

    await().until(() -> kueue.active("window").reason().equals("BadParametersRef"));
    assertThat(kueue.active("window").message()).hasSizeLessThan(5000).endsWith(" ...");
  }
}
