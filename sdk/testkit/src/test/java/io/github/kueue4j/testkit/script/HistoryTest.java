// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.testdefaults.Patience;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final String FLAVORS = KueueTypes.RESOURCE_FLAVOR.path();

  /** Then the server refuses the watch itself, with 410, in place of an event. */
  @Test
  void beginsAnewWhereTheServerForgetsBeforeTheWatchArrives() {
    CompletableFuture<EmbeddedApiServer> started = new CompletableFuture<>();
    AtomicBoolean expired = new AtomicBoolean();
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder()
                .objects(Crds.kueue())
                .onRequest(
                    request -> {
                      if (request.verb().equals("watch") && expired.compareAndSet(false, true)) {
                        started.join().faults().expireHistory();
                      }
                    })
                .start();
        JsonApi api = JsonApi.at(server.uri())) {
      started.complete(server);
      try (History history = History.of(api, FLAVORS)) {
        ObjectNode flavor = Trees.empty().put("kind", "ResourceFlavor");
        flavor.put("apiVersion", "kueue.x-k8s.io/v1beta2");
        flavor.putObject("metadata").put("name", "default");
        ObjectNode created = api.create(FLAVORS, flavor);

        assertThat(history.upTo(ObjectKey.cluster("default"), created, Patience.LIMIT)).hasSize(1);
        assertThat(server.requests().count(RequestMatcher.verbs("watch"), 410)).isEqualTo(1);
      }
    }
  }
}
