// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.apiserver.server.TestServer.Event;
import io.github.kueue4j.apiserver.server.TestServer.Watch;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Watches: where they begin, what they tell, how they end. */
@Tag("quick")
class WatchTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String ALL_MAPS = "/api/v1/configmaps?watch=true";

  @RegisterExtension
  static final TestServer api =
      new TestServer(builder -> builder.historyWindow(20).bookmarkInterval(Duration.ofMillis(50)));

  @Test
  void resumesExactlyAfterItsVersion() throws IOException {
    String first = api.configMap("resume-a", "").revision();
    api.configMap("resume-b", "");
    api.delete(MAPS + "/resume-a");
    try (Watch watch = api.watch(ALL_MAPS + "&resourceVersion=" + first)) {
      assertThat(watch.next(2)).containsExactly("ADDED resume-b", "DELETED resume-a");
    }
  }

  @Test
  void aDeletionHasARevisionOfItsOwn() throws IOException {
    String created = api.configMap("rev", "").revision();
    try (Watch watch = api.watch(ALL_MAPS + "&resourceVersion=" + created)) {
      api.delete(MAPS + "/rev");
      assertThat(Long.parseLong(watch.next().revision())).isGreaterThan(Long.parseLong(created));
    }
  }

  @Test
  void tellsWhenAnObjectStartsAndStopsToMatch() throws IOException {
    String start = api.configMap("match", "").revision();
    try (Watch watch = api.watch(ALL_MAPS + "&labelSelector=wanted&resourceVersion=" + start)) {
      api.mergePatch(MAPS + "/match", "{\"metadata\":{\"labels\":{\"wanted\":\"1\"}}}");
      api.mergePatch(MAPS + "/match", "{\"data\":{\"x\":\"1\"}}");
      api.mergePatch(MAPS + "/match", "{\"metadata\":{\"labels\":null}}");
      api.mergePatch(MAPS + "/match", "{\"data\":{\"x\":\"2\"}}");
      api.configMap("match-end", ", labels: {wanted: '1'}");
      assertThat(watch.next(4))
          .containsExactly("ADDED match", "MODIFIED match", "DELETED match", "ADDED match-end");
    }
  }

  @Test
  void bookmarksTellTheRevisionOfOtherKindsToo() throws IOException {
    String start = api.configMap("bookmark", "").revision();
    try (Watch watch = api.watch(ALL_MAPS + "&allowWatchBookmarks=true&resourceVersion=" + start)) {
      String other =
          api.post(
                  "/api/v1/namespaces/default/secrets",
                  "{apiVersion: v1, kind: Secret, metadata: {name: bookmark}}")
              .revision();
      Event bookmark = watch.next();
      while (bookmark.type().equals("BOOKMARK")
          && Long.parseLong(bookmark.revision()) < Long.parseLong(other)) {
        bookmark = watch.next();
      }
      assertThat(bookmark.type()).isEqualTo("BOOKMARK");
      assertThat(bookmark.object().path("kind").asText()).isEqualTo("ConfigMap");
    }
  }

  @Test
  void streamsAListFirstIfAsked() throws IOException {
    api.configMap("initial", ", labels: {initial: '1'}");
    try (Watch watch =
        api.watch(
            ALL_MAPS
                + "&labelSelector=initial&sendInitialEvents=true&allowWatchBookmarks=true"
                + "&resourceVersionMatch=NotOlderThan")) {
      assertThat(watch.next().brief()).isEqualTo("ADDED initial");
      Event end = watch.next();
      assertThat(end.type()).isEqualTo("BOOKMARK");
      assertThat(end.object().at("/metadata/annotations/k8s.io~1initial-events-end").asText())
          .isEqualTo("true");
    }
    assertThat(api.get(ALL_MAPS + "&sendInitialEvents=true").status()).isEqualTo(422);
  }

  @Test
  void endsAfterItsTimeout() throws IOException {
    try (Watch watch =
        api.watch(ALL_MAPS + "&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone")) {
      assertThat(watch.next()).isEqualTo(Watch.END);
    }
  }

  @Test
  void aForgottenVersionIsGone() {
    String old = api.configMap("old", "").revision();
    for (int i = 0; i < 25; i++) {
      api.mergePatch(MAPS + "/old", "{\"data\":{\"x\":\"" + i + "\"}}");
    }
    TestServer.Answer answer = api.get(ALL_MAPS + "&resourceVersion=" + old);
    assertThat(answer.status()).isEqualTo(410);
    assertThat(answer.at("reason").asText()).isEqualTo("Expired");
    assertThat(answer.at("message").asText()).startsWith("too old resource version: " + old);
  }

  @Test
  void aVersionOfTheFutureIsRefused() {
    assertThat(api.get(ALL_MAPS + "&resourceVersion=999999999").status()).isEqualTo(504);
    assertThat(api.get(MAPS + "?resourceVersion=999999999").status()).isEqualTo(504);
  }

  @Test
  void aTableWatchSendsItsColumnsOnce() throws IOException {
    api.configMap("table", ", labels: {table: '1'}");
    try (Watch watch = watchTable()) {
      Event first = watch.next();
      assertThat(first.object().path("kind").asText()).isEqualTo("Table");
      assertThat(first.object().path("columnDefinitions").size()).isEqualTo(3);
      api.mergePatch(MAPS + "/table", "{\"data\":{\"x\":\"1\"}}");
      Event second = watch.next();
      assertThat(second.type()).isEqualTo("MODIFIED");
      assertThat(second.object().path("columnDefinitions").size()).isZero();
      assertThat(second.object().at("/rows/0/cells/1").asInt()).isEqualTo(1);
    }
  }

  private static Watch watchTable() {
    return api.watch(
        ALL_MAPS + "&labelSelector=table", "application/json;as=Table;v=v1;g=meta.k8s.io");
  }
}
