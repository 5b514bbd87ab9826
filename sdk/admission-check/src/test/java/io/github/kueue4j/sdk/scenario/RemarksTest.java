// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the condition of an AdmissionCheck says of settings without an effect. */
class RemarksTest extends WindowFixture {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          retry: {baseDelay: 1m} | The admission check is active; spec.retry has no effect, since this check names the delay of each Retry: leave it out, and bound its delays by spec.retryLimits
          retry: {baseDelay: 1m}, pendingTimeoutSeconds: 60 | The admission check is active
          retryLimits: {maxRetries: 3} | The admission check is active
          parameters: {apiGroup: v1, kind: ConfigMap, name: cfg} | spec.parameters names the ConfigMap 'cfg' of group 'v1', and this check has no parameters: leave out spec.parameters
          """)
  void whatHasNoEffectIsTold(String fields, String message) throws Exception {
    kueue
        .server()
        .apply(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata: {name: window}
            spec: {controllerName: example.com/window, %s}
            """
                .formatted(fields));
    ClusterConnection cluster = kueue.connect("window");
    open.add(cluster);
    CheckController controller =
        CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time))
            .namesDelays()
            .check(evaluation -> Verdict.ready("open"))
            .build();
    open.add(controller);
    controller.start();

    await().until(() -> !kueue.active("window").reason().equals("Unset"));
    assertThat(kueue.active("window").message()).isEqualTo(message);
    assertThat(kueue.active("window").isTrue()).isEqualTo(message.startsWith("The admission"));
  }

  @Test
  void whatNamesNoFlavorIsToldAndAMisspeltResourceWhileWorkloadsAskForAnother() throws Exception {
    refer("v1", "ConfigMap");
    configMap("hours", "0");
    run(
        Parameters.configMap(SETTINGS, Window::read),
        new Check<>() {
          @Override
          public Verdict evaluate(Evaluation<Window> evaluation) {
            return Verdict.ready("open");
          }

          @Override
          public List<String> remarks(Window window, Circumstances at) {
            return Stream.of(
                    at.unknownFlavors("data.flavors", Set.of("absent-flavor")),
                    at.misspelt("data.resources", Set.of("cpus", "memory")))
                .flatMap(Optional::stream)
                .toList();
          }
        },
        builder -> builder);
    await().until(() -> kueue.active("window").isTrue());
    String flavors =
        "The admission check is active; its parameters: data.flavors names absent-flavor, and there is"
            + " no such ResourceFlavor: correct the name, or create it";
    assertThat(kueue.active("window").message()).isEqualTo(flavors);

    kueue.workload("job");
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return kueue
                  .active("window")
                  .message()
                  .equals(
                      flavors
                          + "; its parameters: data.resources names cpus, which no Workload asks"
                          + " for, and Workloads ask for cpu: correct the name");
            });
    assertThat(kueue.active("window").isTrue()).isTrue();
  }
}
