// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpAnswer;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meanings of the status and body of an answer.
 *
 * <p>A status alone lets a Workload start or has it asked about again. To send it back or to reject
 * it takes a document in the contract's own form: proxies, meshes and load balancers on the way
 * answer 403, 404 or 429 by themselves, and none of them writes such a document by chance.
 */
final class Answers {
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int NO_CONTENT = 204;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int PROXY_AUTHENTICATION = 407;

  private static final String JSON = "application/json";

  /** The part of a field's path that consists of the contract's own names. */
  private static final Pattern OWN_NAMES =
      Pattern.compile(
          "the document|attemptId|verdict|reason|message|retryAfterSeconds"
              + "|podSetUpdates(\\[\\d+])?"
              + "(\\.(name|labels|annotations|nodeSelector|tolerations)\\b(\\[\\d+])?"
              + "(\\.(key|operator|value|effect|tolerationSeconds)\\b)?)?");

  private Answers() {}

  /**
   * Reads an answer.
   *
   * @param url the endpoint, for messages
   * @param attemptId that was asked about
   * @throws UnusableAnswerException if it is no verdict
   */
  static Answer of(HttpAnswer answer, URI url, String attemptId) {
    return switch (answer.status()) {
      case OK ->
          answer.body().isBlank()
              ? Answer.of(Answer.Word.READY, "", Optional.empty())
              : document(answer, url, attemptId, null);
      case NO_CONTENT -> Answer.of(Answer.Word.READY, "", Optional.empty());
      case ACCEPTED ->
          isDocument(answer)
              ? document(answer, url, attemptId, Answer.Word.PENDING)
              : Answer.of(Answer.Word.PENDING, "", answer.retryAfter());
      default ->
          throw new UnusableAnswerException(
              url + " answered " + answer.statusText() + ": " + remedy(answer.status()));
    };
  }

  private static String remedy(int status) {
    if (status == UNAUTHORIZED || status == PROXY_AUTHENTICATION) {
      return "correct spec.endpoint.authorization of the HttpCheck";
    }
    if (status == FORBIDDEN) {
      return "let the controller pass, or, to reject a Workload, answer 200 with the verdict Rejected";
    }
    if (status >= 300 && status < 400) {
      return "redirects are not followed, so correct spec.endpoint.url of the HttpCheck";
    }
    return "an endpoint answers 200 with a verdict, 202 or 204";
  }

  private static boolean isDocument(HttpAnswer answer) {
    return answer.contentType().equals(JSON) && !answer.body().isBlank();
  }

  private static Answer document(
      HttpAnswer answer, URI url, String attemptId, Answer.@Nullable Word implied) {
    if (!isDocument(answer)) {
      throw unusable(answer, url, "its content type is not " + JSON);
    }
    try {
      Answer read = AnswerJson.read(answer.body(), attemptId, implied);
      return read.retryAfter().isEmpty() && read.verdict().waits()
          ? read.withRetryAfter(answer.retryAfter())
          : read;
    } catch (InvalidFieldException e) {
      throw unusable(answer, url, ownNames(e.field()) + ": " + e.remedy());
    } catch (IOException | IllegalStateException e) {
      throw unusable(answer, url, "it is no JSON document of a verdict");
    }
  }

  /**
   * Names that the answer brought may be anything, such as those of the headers that it repeats.
   */
  private static String ownNames(String field) {
    Matcher own = OWN_NAMES.matcher(field);
    return own.lookingAt() ? own.group() : "a field";
  }

  private static UnusableAnswerException unusable(HttpAnswer answer, URI url, String what) {
    return new UnusableAnswerException(
        url + " answered " + answer.statusText() + " with what can't be used: " + what);
  }
}
