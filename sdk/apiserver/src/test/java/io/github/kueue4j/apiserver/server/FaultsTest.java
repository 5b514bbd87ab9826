// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static io.github.kueue4j.apiserver.traffic.RequestMatcher.anyResource;
import static io.github.kueue4j.apiserver.traffic.RequestMatcher.everything;
import static io.github.kueue4j.apiserver.traffic.RequestMatcher.resource;
import static io.github.kueue4j.apiserver.traffic.RequestMatcher.verbs;
import static io.github.kueue4j.apiserver.traffic.RequestMatcher.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.apiserver.server.TestServer.Answer;
import io.github.kueue4j.apiserver.server.TestServer.Event;
import io.github.kueue4j.apiserver.server.TestServer.Watch;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Faults that the server injects on request. */
class FaultsTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String WATCH = "/api/v1/configmaps?watch=true";

  @RegisterExtension
  static final TestServer api =
      new TestServer(builder -> builder.bookmarkInterval(Duration.ofMillis(50)));

  private static Faults faults() {
    return api.server().faults();
  }

  @AfterEach
  void calm() {
    faults().clear();
    // The server finds out late that a client has closed its watch.
    Awaitility.await().until(() -> faults().dropWatches(everything()) == 0);
  }

  @Test
  void failsTheNextRequestsThatMatch() {
    Fault fault = faults().failNext(2, verbs("list").and(resource("configmaps")), 429);
    Answer refused = api.get(MAPS);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.at("reason").asText()).isEqualTo("TooManyRequests");
    assertThat(api.get("/api/v1/namespaces/default/secrets").status()).isEqualTo(200);
    assertThat(api.get(MAPS).status()).isEqualTo(429);
    assertThat(api.get(MAPS).status()).isEqualTo(200);
    assertThat(fault.hits()).isEqualTo(2);
  }

  @Test
  void aRefusedWriteChangesNothing() {
    faults().failNext(1, verbs("create"), 500);
    assertThat(api.configMap("unwritten", "").status()).isEqualTo(500);
    assertThat(api.get(MAPS + "/unwritten").status()).isEqualTo(404);
  }

  @Test
  void failsAShareOfTheRequests() {
    Fault fault = faults().failRate(0.5, anyResource(), 503, new Random(7));
    for (int i = 0; i < 40; i++) {
      api.get(MAPS);
    }
    assertThat(fault.hits()).isBetween(8L, 32L);
    fault.close();
    assertThat(api.get(MAPS).status()).isEqualTo(200);
  }

  @Test
  void delaysRequests() {
    faults().delay(resource("configmaps"), Duration.ofMillis(150));
    long start = System.nanoTime();
    api.get(MAPS);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(150));
  }

  @Test
  void carriesARequestOutAndCutsTheAnswerOff() {
    api.configMap("listed", "");
    Fault cut = faults().cutAnswers(1, resource("configmaps"), new Random(7));
    assertThatThrownBy(() -> api.configMap("half-answered", ""))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> api.get(MAPS)).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> api.get(MAPS + "/missing")).isInstanceOf(UncheckedIOException.class);
    assertThat(cut.hits()).isGreaterThanOrEqualTo(3);
    cut.close();
    assertThat(api.get(MAPS + "/half-answered").status()).isEqualTo(200);
  }

  @Test
  void leavesWatchesOpenWhenItCutsAnswersOff() throws IOException {
    Fault cut = faults().cutAnswers(1, resource("configmaps").and(writes().negate()), new Random());
    try (Watch watch = api.watch(WATCH + "&resourceVersion=" + nowOf("secrets"))) {
      api.configMap("watched", "");
      assertThat(watch.next().brief()).isEqualTo("ADDED watched");
      assertThat(cut.hits()).isZero();
    }
  }

  @Test
  void sendsEventsLate() throws IOException {
    try (Watch watch = api.watch(WATCH + "&allowWatchBookmarks=true&resourceVersion=" + now())) {
      assertThat(watch.next().type()).isEqualTo("BOOKMARK");
      Fault lateness = faults().delayEvents(resource("configmaps"), Duration.ofMillis(400));
      long start = System.nanoTime();
      String written = api.configMap("late", "").revision();
      Event next = watch.next();
      while (next.type().equals("BOOKMARK")) {
        assertThat(Long.parseLong(next.revision()))
            .as("no bookmark overtakes the event")
            .isLessThan(Long.parseLong(written));
        next = watch.next();
      }
      assertThat(next.brief()).isEqualTo("ADDED late");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(400));
      assertThat(lateness.hits()).isEqualTo(1);
    }
  }

  @Test
  void sendsLateEventsAtOnceWhenTheFaultEnds() throws IOException {
    try (Watch watch = api.watch(WATCH + "&resourceVersion=" + now())) {
      Fault lateness = faults().delayEvents(resource("configmaps"), Duration.ofHours(1));
      api.configMap("very-late", "");
      Awaitility.await().until(() -> lateness.hits() == 1);
      lateness.close();
      assertThat(watch.next().brief()).isEqualTo("ADDED very-late");
    }
  }

  @Test
  void repeatsEvents() throws IOException {
    try (Watch watch = api.watch(WATCH + "&resourceVersion=" + now())) {
      Fault repetition = faults().repeatEvents(resource("configmaps"));
      api.configMap("repeated", "");
      assertThat(watch.next(2)).containsExactly("ADDED repeated", "ADDED repeated");
      assertThat(repetition.hits()).isEqualTo(1);
    }
  }

  @Test
  void cutsWatchesOff() throws IOException {
    try (Watch watch = api.watch(WATCH + "&resourceVersion=" + now())) {
      assertThat(faults().dropWatches(resource("configmaps"))).isEqualTo(1);
      assertThat(watch.next()).isEqualTo(Watch.CUT);
    }
  }

  @Test
  void silencesWatchesAndLetsThemGoOn() throws IOException {
    try (Watch watch = api.watch(WATCH + "&allowWatchBookmarks=true&resourceVersion=" + now())) {
      assertThat(watch.next().type()).isEqualTo("BOOKMARK");
      Fault silence = faults().silenceWatches(resource("configmaps"));
      api.configMap("silent", "");
      Awaitility.await().until(() -> silence.hits() == 1);
      Event last = watch.poll(Duration.ofMillis(300));
      while (last != null && last.type().equals("BOOKMARK")) {
        // Sent before the silence began.
        last = watch.poll(Duration.ofMillis(300));
      }
      assertThat(last).isNull();
      assertThat(silence.hits()).as("watches, however long they are silent").isEqualTo(1);
      silence.close();
      Event next = watch.next();
      while (next.type().equals("BOOKMARK")) {
        next = watch.next();
      }
      assertThat(next.brief()).isEqualTo("ADDED silent");
    }
  }

  @Test
  void expiresTheHistory() throws IOException {
    String before = now();
    try (Watch watch = api.watch(WATCH + "&resourceVersion=" + before)) {
      faults().expireHistory();
      Event error = watch.next();
      assertThat(error.type()).isEqualTo("ERROR");
      assertThat(error.object().path("code").asInt()).isEqualTo(410);
      assertThat(watch.next()).isEqualTo(Watch.END);
    }
    assertThat(api.get(WATCH + "&resourceVersion=" + before).status()).isEqualTo(410);
    assertThat(api.get(MAPS).status()).isEqualTo(200);
  }

  @RepeatedTest(50)
  void refusesConnectionsForATime() {
    Fault refusal = faults().refuseConnections();
    assertThatThrownBy(() -> api.get(MAPS)).isInstanceOf(UncheckedIOException.class);
    refusal.close();
    assertThat(api.get(MAPS).status()).isEqualTo(200);
  }

  /** A connection that is accepted at that moment is closed, too: its client must not wait. */
  @RepeatedTest(100)
  void whoeverConnectsAtThatMomentIsCutOff() throws Exception {
    int clients = 8;
    CountDownLatch watching = new CountDownLatch(clients);
    try (Actors threads = Actors.onPlatformThreads("client")) {
      List<Act<Boolean>> refused = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        refused.add(threads.start(() -> watchUntilRefused(watching)));
      }
      watching.await();
      faults().refuseConnections();
      refused.forEach(Act::get);
    }
  }

  /** Watches, and watches again as soon as that is cut off. */
  private static void watchUntilRefused(CountDownLatch watching) {
    String request = "GET " + WATCH + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    boolean refused = false;
    while (!refused) {
      try (Socket socket =
          new Socket(InetAddress.getLoopbackAddress(), api.server().uri().getPort())) {
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream answer = socket.getInputStream();
        answer.read();
        watching.countDown();
        answer.transferTo(OutputStream.nullOutputStream());
      } catch (SocketTimeoutException e) {
        throw new AssertionError("this connection is neither served nor closed", e);
      } catch (IOException e) {
        // One that was cut off before its answer is refused next time.
        refused = e instanceof ConnectException;
      }
    }
  }

  @Test
  void hangsForATime() {
    Fault pause = faults().pause(resource("configmaps"));
    try (Actors clients = Actors.named("client")) {
      Act<Answer> answer = clients.ask(() -> api.get(MAPS));
      Awaitility.await().until(() -> pause.hits() == 1);
      assertThat(api.get("/api/v1/namespaces").status()).isEqualTo(200);
      assertThat(answer.hasEnded()).isFalse();
      pause.close();
      assertThat(answer.get().status()).isEqualTo(200);
    }
  }

  @Test
  void disturbsDiscoveryOnlyIfToldTo() {
    faults().failNext(1, anyResource(), 500);
    assertThat(api.get("/apis").status()).isEqualTo(200);
    faults().clear();
    faults().failNext(1, everything(), 500);
    assertThat(api.get("/apis").status()).isEqualTo(500);
  }

  private static String now() {
    return nowOf("configmaps");
  }

  private static String nowOf(String resource) {
    return api.get("/api/v1/namespaces/default/" + resource).revision();
  }
}
