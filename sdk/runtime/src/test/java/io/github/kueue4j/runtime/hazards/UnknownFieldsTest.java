// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static io.github.kueue4j.runtime.ScriptedServer.listJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.client.Odd;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

/** A single unknown field of a newer server makes a whole list unreadable for the library. */
@ExpectedLog(level = Level.ERROR, logger = "UnreadableObjects", message = "Can't read an object")
class UnknownFieldsTest {

  /** Unknown members at every level, and an unknown enum value. */
  private static final String FROM_THE_FUTURE =
      """
      {"metadata":{"namespace":"n","name":"a","uid":"u","resourceVersion":"1","fromTheFuture":1},
       "spec":{"fromTheFuture":{"x":[1]}},
       "status":{"fromTheFuture":[{}],
        "conditions":[{"type":"T","status":"True","fromTheFuture":1}]},
       "fromTheFuture":"yes"}\
      """
          .replace("\n", "");

  /** The same, as deep as a server stores it. */
  private static final String DEEP =
      FROM_THE_FUTURE
          .replace("{\"x\":[1]}", Odd.deep(9_990))
          .replace("\"uid\"", "\"managedFields\":[{\"fieldsV1\":" + Odd.deep(9_990) + "}],\"uid\"");

  private static ScriptedServer server(String object) {
    return new ScriptedServer(
        (request, answer) -> {
          if (request.isWatch()) {
            answer
                .open()
                .event(
                    "MODIFIED",
                    object.replace("\"resourceVersion\":\"1\"", "\"resourceVersion\":\"2\""));
          } else {
            answer.json(200, listJson("1", object));
          }
        });
  }

  @Test
  void theLibraryReadsNothingAtAll() {
    try (var server = server(FROM_THE_FUTURE);
        var raw = new RawClient(server.uri())) {
      var informer = raw.informer(V1Node.class, V1NodeList.class, "nodes");
      await().until(() -> server.count(ScriptedServer.Received::isList) >= 2);
      assertThat(informer.hasSynced()).isFalse();
      assertThatThrownBy(() -> V1Node.fromJson(FROM_THE_FUTURE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("fromTheFuture");
    }
  }

  static Stream<ResourceType<? extends KubernetesObject>> everyKindThatIsRead() {
    return Stream.concat(
        KueueTypes.ALL.stream(),
        Stream.of(
            CoreTypes.POD,
            CoreTypes.NODE,
            CoreTypes.JOB,
            CoreTypes.NAMESPACE,
            CoreTypes.LIMIT_RANGE,
            CoreTypes.RUNTIME_CLASS,
            CoreTypes.PRIORITY_CLASS,
            CoreTypes.POD_TEMPLATE,
            CoreTypes.CONFIG_MAP,
            CoreTypes.LEASE));
  }

  @ParameterizedTest
  @MethodSource("everyKindThatIsRead")
  <T extends KubernetesObject> void oursReadsEveryKind(ResourceType<T> type)
      throws InterruptedException {
    try (var server = server(DEEP);
        var connection = ClusterConnection.builder("test").url(server.uri()).open();
        var informers = Informers.on(connection)) {
      assertThat(connection.api().list(type, ListOptions.all()).items()).hasSize(1);

      Informer<T> informer = informers.of(type).register();
      informers.start();
      informers.awaitSynced(Patience.LIMIT);
      await()
          .until(
              () ->
                  informer
                      .get(new ObjectKey("n", "a"))
                      .map(object -> object.getMetadata().getResourceVersion())
                      .equals(Optional.of("2")));
    }
  }

  @Test
  void oursLeavesOutOneUnreadableObjectAndKeepsTheRest() {
    String odd = FROM_THE_FUTURE.replace("{\"fromTheFuture\":{\"x\":[1]}}", "\"no object\"");
    try (var server =
            new ScriptedServer(
                (request, answer) -> answer.json(200, listJson("1", odd, FROM_THE_FUTURE)));
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      assertThat(connection.api().list(CoreTypes.NODE, ListOptions.all()).items()).hasSize(1);
    }
  }
}
