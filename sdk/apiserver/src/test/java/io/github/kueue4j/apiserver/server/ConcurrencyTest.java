// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.server.TestServer.Answer;
import io.github.kueue4j.apiserver.server.TestServer.Watch;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many writers at once: nothing is lost, and watchers see everything in one order. */
class ConcurrencyTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int WRITERS = 8;
  private static final int WRITES = 40;

  @RegisterExtension static final TestServer api = new TestServer();

  @Test
  void patchesOfOneObjectAllCount() throws Exception {
    String start = api.configMap("shared", "").revision();
    inParallel(
        writer -> {
          for (int i = 0; i < WRITES; i++) {
            String field = "w" + writer + "-" + i;
            assertThat(
                    api.mergePatch(MAPS + "/shared", "{\"data\":{\"" + field + "\":\"1\"}}")
                        .status())
                .isEqualTo(200);
          }
        });
    assertThat(api.get(MAPS + "/shared").at("data").size()).isEqualTo(WRITERS * WRITES);
    try (Watch watch = api.watch("/api/v1/configmaps?watch=true&resourceVersion=" + start)) {
      long last = Long.parseLong(start);
      for (int i = 1; i <= WRITERS * WRITES; i++) {
        TestServer.Event event = watch.next();
        assertThat(Long.parseLong(event.revision())).isGreaterThan(last);
        assertThat(event.object().path("data").size()).isEqualTo(i);
        last = Long.parseLong(event.revision());
      }
    }
  }

  @Test
  void ofWritersWithTheSameVersionOneWins() throws Exception {
    String revision = api.configMap("race", "").revision();
    AtomicInteger won = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    inParallel(
        writer -> {
          Answer answer =
              api.mergePatch(
                  MAPS + "/race",
                  "{\"metadata\":{\"resourceVersion\":\""
                      + revision
                      + "\"},\"data\":{\"by\":\""
                      + writer
                      + "\"}}");
          (answer.status() == 200 ? won : lost).incrementAndGet();
        });
    assertThat(won).hasValue(1);
    assertThat(lost).hasValue(WRITERS - 1);
  }

  @Test
  void pagesOfAListShowOneMoment() {
    for (String name : List.of("p1", "p2", "p3", "p4")) {
      api.configMap(name, ", labels: {paged: '1'}");
    }
    Answer first = api.get(MAPS + "?labelSelector=paged&limit=2");
    api.delete(MAPS + "/p3");
    api.configMap("p5", ", labels: {paged: '1'}");
    Answer second =
        api.get(
            MAPS
                + "?labelSelector=paged&limit=2&continue="
                + first.at("metadata.continue").asText());
    assertThat(second.body().path("items").findValuesAsText("name")).containsExactly("p3", "p4");
    assertThat(second.revision()).isEqualTo(first.revision());
  }

  private interface Writer {
    void write(int writer);
  }

  private static void inParallel(Writer writer) {
    try (Actors writers = Actors.named("writer")) {
      List<Act<Boolean>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        running.add(writers.start(() -> writer.write(number)));
      }
      running.forEach(Act::get);
    }
  }
}
