// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApiException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlaygroundTest {

  @Test
  void servesEveryKindAndHasTheCoresNamespace() throws InterruptedException {
    Configuration configuration = Playground.quietConfiguration();
    try (TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(0, configuration, Set.of(), Duration.ofSeconds(1)), time);
        ClusterConnection connection = playground.target().connect("test")) {
      assertThat(KueueTypes.ALL).allMatch(type -> connection.api().serves(type));
      assertThat(connection.api().serves(KueueTypes.PROVISIONING_REQUEST)).isTrue();
      assertThat(
              connection
                  .api()
                  .get(CoreTypes.NAMESPACE, ObjectKey.cluster(configuration.namespace())))
          .isPresent();
    }
  }

  @Test
  void olderManifestsWorkAlsoAfterTheCoreWasReplaced() throws Exception {
    try (TimeSource time = TimeSource.system();
        Playground playground =
            Playground.start(
                new Playground.Options(
                    0, Playground.quietConfiguration(), Set.of(), Duration.ofSeconds(1)),
                time);
        ClusterConnection connection = playground.target().connect("test")) {
      ResourceType<LocalQueue> older = KueueTypes.LOCAL_QUEUE.inVersion("v1beta1");
      await()
          .atMost(Duration.ofSeconds(90))
          .ignoreExceptionsInstanceOf(KubernetesApiException.class)
          .until(
              () ->
                  connection
                      .api()
                      .create(
                          older,
                          KueueJson.fromJson(
                              "{\"metadata\": {\"name\": \"lq\", \"namespace\": \"default\"}}",
                              LocalQueue.class)),
              Objects::nonNull);

      playground.crashCore();
      playground.startCore();

      await()
          .atMost(Duration.ofSeconds(90))
          .ignoreExceptionsInstanceOf(KubernetesApiException.class)
          .until(() -> connection.api().get(older, new ObjectKey("default", "lq")).isPresent());
    }
  }
}
