// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.http.HttpAnswer;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answers of endpoints mean, and which of them mean nothing. */
class AnswersTest {
  private static final URI URL = URI.create("https://gate.example/check");

  private static Answer read(int status, String type, String body) {
    return Answers.of(
        new HttpAnswer(status, type, body, Optional.of(Duration.ofSeconds(90))), URL, "a-1");
  }

  private static Answer json(String body) {
    return read(200, "application/json", body);
  }

  @ParameterizedTest
  @CsvSource({"200, READY", "204, READY", "202, PENDING"})
  void aStatusAloneIsAVerdict(int status, Answer.Word verdict) {
    assertThat(read(status, "", ""))
        .isEqualTo(
            Answer.of(
                verdict,
                "",
                verdict == Answer.Word.PENDING
                    ? Optional.of(Duration.ofSeconds(90))
                    : Optional.empty()));
  }

  @Test
  void onlyADocumentIsAMessage() {
    assertThat(read(202, "text/plain", "one moment").message()).isEmpty();
    assertThat(read(202, "application/json", "{\"message\": \"one moment\"}").message())
        .isEqualTo("one moment");
  }

  /** What proxies, meshes and load balancers answer by themselves. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | text/plain | RBAC: access denied",
        "403 | text/html | <html><h1>403 Forbidden</h1></html>",
        "403 | | ",
        "403 | application/json | {\"message\": \"Forbidden\"}",
        "403 | application/json | {\"verdict\": \"Rejected\"}",
        "401 | application/json | {\"verdict\": \"Rejected\"}",
        "404 | text/plain | 404 page not found",
        "407 | text/html | <html>",
        "200 | text/html | <html>Sign in</html>",
        "200 | text/plain | {\"verdict\": \"Rejected\"}",
        "200 | | {\"verdict\": \"Retry\"}",
        "200 | application/json | {\"message\": \"Forbidden\"}",
        "200 | application/json | {\"verdict\": \"Rejected\", \"code\": 7}"
      })
  void whatIsNotInTheContractsOwnFormDecidesNothing(int status, String type, String body) {
    String text = body == null ? "" : body;
    assertThatThrownBy(() -> read(status, type == null ? "" : type, text))
        .isInstanceOf(UnusableAnswerException.class)
        .hasMessageStartingWith(URL + " answered " + status + " (")
        .hasMessageNotContaining("denied")
        .hasMessageNotContaining("html")
        .hasNoCause();
  }

  @Test
  void aDocumentSaysItAll() {
    assertThat(
            json(
                """
                {"verdict": "Ready", "attemptId": "a-1", "reason": null, "message": "go", "podSetUpdates": [
                  {"name": "main", "labels": {"a": "1"}, "annotations": {"b": "2"},
                   "nodeSelector": {"c": "3"}, "tolerations": [
                     {"key": "d", "operator": "Exists", "effect": "NoExecute",
                      "tolerationSeconds": 60}]}]}
                """))
        .isEqualTo(
            new Answer(
                Answer.Word.READY,
                Optional.empty(),
                "go",
                Optional.empty(),
                List.of(
                    new PodSetUpdate(
                        "main",
                        Map.of("a", "1"),
                        Map.of("b", "2"),
                        Map.of("c", "3"),
                        List.of(
                            new V1Toleration()
                                .key("d")
                                .operator("Exists")
                                .effect("NoExecute")
                                .tolerationSeconds(60L))))));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "30, 30", "30.0, 30", "0.2, 1", "999999999, 999999999"})
  void secondsAreRoundedUp(String written, long seconds) {
    assertThat(
            json("{\"verdict\": \"Retry\", \"retryAfterSeconds\": " + written + "}").retryAfter())
        .contains(Duration.ofSeconds(seconds));
  }

  @Test
  void theHeaderSaysWhenTheDocumentDoesNot() {
    assertThat(json("{\"verdict\": \"Retry\"}").retryAfter()).contains(Duration.ofSeconds(90));
    assertThat(json("{\"verdict\": \"Ready\"}").retryAfter()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | verdict: write one of Ready, Pending, Retry, Rejected",
        "{\"verdict\": \"ready\"} | verdict: write one of",
        "{\"verdict\": true} | verdict: write a text",
        "[] | the document: write an object",
        "{\"verdct\": \"Ready\"} | a field: did you mean verdict?",
        "{\"verdict\": \"Ready\", \"verdict\": \"Retry\"} | verdict: write it once",
        "{\"verdict\": \"Rejected\", \"attemptId\": \"a-2\"} | attemptId: it answers another question",
        "{\"verdict\": \"Rejected\", \"attemptId\": 7} | attemptId: write a text",
        "{\"verdict\": \"Retry\", \"reason\": \"no license\"} | reason: write one",
        "{\"verdict\": \"Retry\", \"retryAfterSeconds\": \"60\"} | write a number of seconds",
        "{\"verdict\": \"Retry\", \"retryAfterSeconds\": -1} | retryAfterSeconds: write a number",
        "{\"verdict\": \"Retry\", \"retryAfterSeconds\": 1e9} | retryAfterSeconds: write a number",
        "{\"verdict\": \"Retry\", \"retryAfterSeconds\": 1e999999999} | retryAfterSeconds: write a number",
        "{\"verdict\": \"Ready\", \"retryAfterSeconds\": 5} | leave it out unless",
        "{\"verdict\": \"Retry\", \"podSetUpdates\": [{\"name\": \"main\"}]} | leave them out unless",
        "{\"verdict\": \"Ready\", \"podSetUpdates\": [{}]} | podSetUpdates[0].name: name a pod set",
        "{\"verdict\": \"Ready\", \"podSetUpdates\": [{\"name\": \"m\", \"labels\": {\"a\": 1}}]}"
            + " | podSetUpdates[0].labels: write a text",
        "{\"verdict\": \"Ready\"} {} | it is no JSON document of a verdict",
        "{\"verdict\": \"Ready\" | it is no JSON document of a verdict",
        "{'verdict': 'Ready'} | it is no JSON document of a verdict",
        "<html>hello</html> | it is no JSON document of a verdict"
      })
  void whatCantBeUsedIsNamed(String body, String complaint) {
    assertThatThrownBy(() -> json(body))
        .isInstanceOf(UnusableAnswerException.class)
        .hasMessageStartingWith(URL + " answered 200 (OK) with what can't be used: ")
        .hasMessageContaining(complaint);
  }

  @Test
  void aStatusAndItsDocumentMustAgree() {
    assertThatThrownBy(() -> read(202, "application/json", "{\"verdict\": \"Ready\"}"))
        .hasMessageContaining("the status stands for Pending: write 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Authorization: Bearer geheim\": 1}",
        "{\"verdict\": \"geheim\"}",
        "{\"verdict\": \"Ready\", \"podSetUpdates\": [{\"name\": \"m\", \"labels\": {\"geheim\": 1}}]}",
        "{\"reason\": \"geheim geheim\"}",
        "geheim"
      })
  void nothingOfItIsRepeated(String body) {
    assertThatThrownBy(() -> json(body)).hasMessageNotContaining("geheim").hasNoCause();
  }

  @Test
  void nestingIsLimited() {
    String deep = "[".repeat(100_000);

    assertThatThrownBy(() -> json("{\"verdict\": \"Ready\", \"podSetUpdates\": " + deep))
        .isInstanceOf(UnusableAnswerException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 301, 307, 400, 401, 403, 404, 407, 422})
  void anyOtherStatusIsAFailure(int status) {
    assertThatThrownBy(() -> read(status, "text/plain", "what?"))
        .isInstanceOf(UnusableAnswerException.class)
        .hasMessageStartingWith(URL + " answered " + status + " (")
        .hasMessageNotContaining("what?");
  }

  @Test
  void messagesAreCutAndInOneLine() {
    String message =
        json("{\"verdict\": \"Ready\", \"message\": \"" + "a\\n".repeat(100_000) + "\"}").message();

    assertThat(message).startsWith("a a a").endsWith(" ...").hasSize(1004);
  }

  @Test
  void theReasonsOfEachCheckAreBoundedInNumber() {
    KnownReasons reasons = new KnownReasons();
    for (int i = 0; i < KnownReasons.MOST; i++) {
      assertThat(reasons.of("gate", "R" + i).value()).isEqualTo("R" + i);
    }

    assertThat(reasons.of("gate", "OneMore").value()).isEqualTo("OtherReason");
    assertThat(reasons.of("gate", "R7").value()).isEqualTo("R7");
    assertThat(reasons.of("other", "OneMore").value()).isEqualTo("OneMore");
  }
}
