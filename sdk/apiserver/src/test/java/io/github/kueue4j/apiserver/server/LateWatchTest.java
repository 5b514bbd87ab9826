// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.http.DirectRequest;
import java.io.EOFException;
import java.io.InputStream;
import java.net.ConnectException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A watch that was asked for before all watches are cut off, and opens afterwards. */
class LateWatchTest {

  @Test
  void isCutOffWhereTheServerCloses() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      assertThat(endOfWatch(server, "/api/v1/pods", server::close))
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void isCutOffWhereTheServerRefusesConnections() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().withoutNetwork().start()) {
      assertThat(endOfWatch(server, "/api/v1/pods", server.faults()::refuseConnections))
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void isCutOffWhereItsDefinitionIsDeleted() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply(Shop.definitions());
      Runnable deletion =
          () -> {
            request(
                server,
                "DELETE",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/orders.shop.example.com",
                List.of());
            Awaitility.await().until(() -> server.newest("shop.example.com", "orders").isEmpty());
          };
      assertThat(endOfWatch(server, "/apis/shop.example.com/v1/orders", deletion))
          .isInstanceOf(EOFException.class);
    }
  }

  /**
   * How a watch ends.
   *
   * @param meanwhile done when the server knows what to watch, and before the watch is open
   */
  private static @Nullable Throwable endOfWatch(
      EmbeddedApiServer server, String path, Runnable meanwhile) {
    List<String> accept =
        new AbstractList<>() {
          @Override
          public String get(int index) {
            meanwhile.run();
            return "application/json";
          }

          @Override
          public int size() {
            return 1;
          }
        };
    return request(server, "GET", path + "?watch=true&timeoutSeconds=1", accept);
  }

  private static @Nullable Throwable request(
      EmbeddedApiServer server, String method, String pathAndQuery, List<String> accept) {
    List<Throwable> ends = new ArrayList<>();
    DirectRequest.Answer answer =
        new DirectRequest.Answer() {
          @Override
          public void begin(int status, Map<String, List<String>> headers) {
            assertThat(status).isEqualTo(200);
          }

          @Override
          public void piece(byte[] bytes) {}

          @Override
          public void end(@Nullable Throwable broken) {
            if (broken != null) {
              ends.add(broken);
            }
          }
        };
    String[] parts = pathAndQuery.split("\\?", 2);
    try {
      server.answer(
          new DirectRequest(
              method,
              parts[0],
              parts.length == 1 ? null : parts[1],
              Map.of("Accept", accept),
              InputStream.nullInputStream(),
              answer));
    } catch (ConnectException e) {
      throw new AssertionError(e);
    }
    return ends.isEmpty() ? null : ends.getFirst();
  }
}
