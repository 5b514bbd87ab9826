// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.core.admission.ReviewResult;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Objects in whose unknown fields a client has nested as much as an API server stores. */
class DeepReviewsTest {
  private static final int AS_STORED = 9_900;

  private final List<Throwable> fatal = Collections.synchronizedList(new ArrayList<>());

  @Test
  void oneDeepObjectDoesNotFailAConversion() throws Exception {
    String review =
        """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {"uid": "u",
          "desiredAPIVersion": "kueue.x-k8s.io/v1beta1", "objects": [%s, %s]}}
        """
            .formatted(workload("deep", nested(AS_STORED)), workload("flat", "1"));

    String answer = answered(ConversionReview::answer, review);

    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains("\"status\":\"Success\"", "\"name\":\"flat\"", "{\"a\":".repeat(AS_STORED))
        .contains("\"apiVersion\":\"kueue.x-k8s.io/v1beta1\"");
    assertThat(fatal).isEmpty();
  }

  @Test
  void aDeepObjectCanBeUpdated() throws Exception {
    String object = workload("deep", nested(AS_STORED));
    String review =
        """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
          "name": "deep", "object": %s, "oldObject": %s}}
        """
            .formatted(object, object);

    String answer =
        answered(
            asked ->
                AdmissionReview.answer(
                    asked,
                    request ->
                        request.object().equals(request.old())
                            ? ReviewResult.allowed()
                            : new ReviewResult.Refused(List.of())),
            review);

    assertThat(answer).startsWith("HTTP/1.1 200").contains("\"allowed\":true");
    assertThat(fatal).isEmpty();
  }

  @Test
  void whatNoServerStoresIsRefused() throws Exception {
    String answer = answered(asked -> asked, nested(30_000));

    assertThat(answer).startsWith("HTTP/1.1 400").contains("it is nested 30000 deep");
    assertThat(fatal).isEmpty();
  }

  /**
   * A lenient parser takes texts in single quotes, in which a quotation mark is no end of a text.
   */
  @Test
  void depthCannotBeHidden() throws Exception {
    String answer = answered(asked -> asked, "{'\"': " + nested(AS_STORED) + "}");

    assertThat(answer).startsWith("HTTP/1.1 400").contains("Nesting limit 255 reached");
    assertThat(fatal).isEmpty();
  }

  /**
   * The memory of a review is in use until its thread has ended, also if its request is cut off.
   */
  @Test
  void aReviewThatIsCutOffKeepsItsTurnUntilItHasEnded() throws Exception {
    DeepReviews reviews = new DeepReviews();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Supplier<Integer> slow =
        () -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          begun.countDown();
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return running.decrementAndGet();
        };
    try (Actors requests = Actors.onPlatformThreads("request")) {
      Act<Integer> first = requests.ask(() -> reviews.answer(300, slow));
      begun.await();

      first.thread().interrupt();
      Act<Integer> second = requests.ask(() -> reviews.answer(300, slow));
      await().until(() -> second.thread().getState() == Thread.State.WAITING);

      assertThat(first.hasEnded()).isFalse();
      assertThat(running).hasValue(1);
      end.countDown();
      assertThatThrownBy(first::get).hasCauseInstanceOf(InterruptedIOException.class);
      assertThat(second.get()).isZero();
      assertThat(most).hasValue(1);
    }
  }

  @Test
  void bracketsInTextsAreNoNesting() {
    assertThat(depth("{\"a\": [{}, \"[[[[\", \"\\\\\", \"\\\"{{\", []]}")).isEqualTo(3);
    assertThat(depth("1")).isZero();
    assertThat(depth("]]][")).isZero();
  }

  private static int depth(String json) {
    return DeepReviews.depth(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String nested(int depth) {
    return "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
  }

  private static String workload(String name, String unknown) {
    return """
    {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": {"name": "%s"},
      "spec": {"podSets": [{"name": "main", "count": 1, "template": {"spec": {"unknown": %s}}}]}}
    """
        .formatted(name, unknown);
  }

  private String answered(UnaryOperator<JsonObject> reviewer, String review)
      throws IOException, java.security.GeneralSecurityException {
    try (ManualTime time = ManualTime.create();
        ServedWebhooks webhooks =
            ServedWebhooks.start(
                time, FatalErrors.then((thread, error) -> fatal.add(error)), reviewer);
        Socket client =
            webhooks.send(
                ServedWebhooks.head("Connection: close\r\nContent-Length: " + review.length())
                    + review)) {
      return ServedWebhooks.rest(client);
    }
  }
}
