// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.Patience;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of the webhooks that send too much, too slowly, or nothing; none is authenticated. */
@ExpectedLog(logger = "WebhookServer", message = "Refused a review")
class HostileClientsTest {
  private static final long SMALL_HEAP = 128 << 20;

  private final ManualTime time = ManualTime.create();
  private final ServedWebhooks webhooks =
      ServedWebhooks.start(time, FatalErrors.endProcess(), review -> new JsonObject());

  HostileClientsTest() throws Exception {}

  @AfterEach
  void close() {
    webhooks.close();
    time.close();
  }

  private void assertAnswersReviews() throws IOException {
    try (Socket client = webhooks.post("{}")) {
      assertThat(status(client)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  private static String status(Socket client) throws IOException {
    return new String(client.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
  }

  private static void assertClosed(Socket client) {
    assertThat(atEnd(client)).isTrue();
  }

  private static boolean atEnd(Socket client) {
    try {
      return client.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void aBodyThatIsAnnouncedTooLongIsRefusedUnread() throws Exception {
    try (Socket client = webhooks.send(ServedWebhooks.head("Content-Length: 66060288"))) {
      assertThat(status(client)).isEqualTo("HTTP/1.1 413 Re");
      client.shutdownOutput();
      assertThat(ServedWebhooks.rest(client))
          .contains("Connection: close")
          .endsWith("reviews are at most 8388608 bytes long\n");
    }
    assertThat(webhooks.server().budget().untouched()).isTrue();
  }

  @Test
  void aChunkedBodyWithoutEndIsRefusedWhereItGetsTooLong() throws Exception {
    byte[] chunk = ("10000\r\n" + " ".repeat(1 << 16) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    try (Socket client = webhooks.send(ServedWebhooks.head("Transfer-Encoding: chunked"))) {
      for (int sent = 0; sent <= ReviewBudget.LONGEST; sent += 1 << 16) {
        client.getOutputStream().write(chunk);
      }
      client.getOutputStream().flush();

      assertThat(status(client)).isEqualTo("HTTP/1.1 413 Re");
      await().until(() -> webhooks.server().budget().untouched());
      assertAnswersReviews();

      time.advance(WebhookServer.DEADLINE);
      ServedWebhooks.rest(client);
    }
  }

  @Test
  void aBodyThatStopsIsClosedAtTheDeadlineAndGivesItsMemoryBack() throws Exception {
    try (Socket client =
        webhooks.send(ServedWebhooks.head("Content-Length: 1000000") + " ".repeat(500_000))) {
      await().until(() -> !webhooks.server().budget().untouched());
      assertAnswersReviews();

      time.advance(WebhookServer.DEADLINE);

      assertClosed(client);
      await().until(() -> webhooks.server().budget().untouched());
    }
  }

  @Test
  void asManyStalledClientsAsThereAreThreadsMakeRoomForOneMore() throws Exception {
    List<Socket> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < WebhookServer.MOST_REQUESTS; i++) {
        stalled.add(webhooks.plain());
        stalled.getLast().getOutputStream().write(0x16);
        int soFar = i + 1;
        await().until(() -> time.pendingTimers() == soFar);
      }

      assertAnswersReviews();

      assertClosed(stalled.getFirst());
      await().until(() -> time.pendingTimers() < WebhookServer.MOST_REQUESTS);
      stalled.getLast().setSoTimeout(100);
      assertThatThrownBy(() -> stalled.getLast().getInputStream().read())
          .as("it is still open")
          .isInstanceOf(SocketTimeoutException.class);
      stalled.getLast().setSoTimeout((int) Patience.LIMIT.toMillis());
      time.advance(WebhookServer.DEADLINE);
      stalled.forEach(HostileClientsTest::assertClosed);
    } finally {
      for (Socket each : stalled) {
        each.close();
      }
    }
  }

  @Test
  void stalledHandshakesBlockNothingAndEndAtTheDeadline() throws Exception {
    try (Socket first = webhooks.plain();
        Socket second = webhooks.plain()) {
      first.getOutputStream().write(0x16);
      second.getOutputStream().write(0x16);
      await().until(() -> time.pendingTimers() == 2);
      assertAnswersReviews();

      time.advance(WebhookServer.DEADLINE);

      assertClosed(first);
      assertClosed(second);
    }
  }

  @Test
  void aBodyWhoseTreeWouldFillASmallHeapIsRefusedBeforeItIsParsed() {
    var budget = new ReviewBudget(SMALL_HEAP);
    byte[] body = ("[" + "[],".repeat(1 << 20) + "0]").getBytes(StandardCharsets.US_ASCII);
    try (ReviewBudget.Share share = budget.share()) {
      assertThatThrownBy(() -> share.read(new ByteArrayInputStream(body), null))
          .isInstanceOf(ReviewBudget.TooLargeException.class)
          .hasMessage("the review would take 209 MiB of memory, and all together may take 32 MiB");
    }
    assertThat(budget.untouched()).isTrue();
  }

  @Test
  void aLargeObjectWithItsOldVersionIsReviewedOnASmallHeap() throws Exception {
    var budget = new ReviewBudget(SMALL_HEAP);
    String variable =
        "{\"name\":\"A_VARIABLE_OF_SOME_LENGTH\",\"value\":\"" + "v".repeat(60) + "\"},";
    byte[] body =
        ("[" + variable.repeat((3 << 20) / variable.length()) + "0]")
            .getBytes(StandardCharsets.US_ASCII);
    try (ReviewBudget.Share share = budget.share()) {
      assertThat(share.read(new ByteArrayInputStream(body), "" + body.length)).isEqualTo(body);
    }
    assertThat(budget.untouched()).isTrue();
  }

  @Test
  void whatOthersHoldIsNotGivenTwice() throws Exception {
    var budget = new ReviewBudget(SMALL_HEAP);
    byte[] large = new byte[6 << 20];
    try (ReviewBudget.Share one = budget.share();
        ReviewBudget.Share other = budget.share()) {
      assertThat(one.read(new ByteArrayInputStream(large), null)).hasSize(large.length);
      assertThatThrownBy(() -> other.read(new ByteArrayInputStream(large), null))
          .isInstanceOf(ReviewBudget.ExhaustedException.class);
    }
    assertThat(budget.untouched()).isTrue();
  }
}
