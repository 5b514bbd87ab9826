// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.http.HttpAnswer;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the status and body of an answer mean. */
final class Answers {
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int NO_CONTENT = 204;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private Answers() {}

  /**
   * Reads an answer.
   *
   * @param url the endpoint, for messages
   * @throws UnusableAnswerException if it is no verdict
   */
  static Answer of(HttpAnswer answer, URI url) {
    return switch (answer.status()) {
      case OK ->
          answer.body().isBlank()
              ? Answer.of(Answer.Word.READY, "", Optional.empty())
              : document(answer, url, null);
      case NO_CONTENT -> Answer.of(Answer.Word.READY, "", Optional.empty());
      case ACCEPTED -> plain(answer, url, Answer.Word.PENDING);
      case FORBIDDEN -> plain(answer, url, Answer.Word.REJECTED);
      default ->
          throw new UnusableAnswerException(
              url
                  + " answered "
                  + answer.status()
                  + (answer.excerpt().isEmpty() ? "" : ": " + answer.excerpt())
                  + " ("
                  + remedy(answer.status())
                  + ")",
              null);
    };
  }

  private static String remedy(int status) {
    if (status == UNAUTHORIZED) {
      return "correct spec.endpoint.authorization of the HttpCheck";
    }
    if (status >= 300 && status < 400) {
      return "redirects are not followed: correct spec.endpoint.url of the HttpCheck";
    }
    return "an endpoint answers 200, 202, 204, 403, 429 or 503";
  }

  /** A status that is a verdict by itself; its body may say more, as JSON or as text. */
  private static Answer plain(HttpAnswer answer, URI url, Answer.Word word) {
    if (answer.contentType().equals("application/json") && !answer.body().isBlank()) {
      return document(answer, url, word);
    }
    return Answer.of(word, answer.excerpt(), word.waits() ? answer.retryAfter() : Optional.empty());
  }

  private static Answer document(HttpAnswer answer, URI url, Answer.@Nullable Word implied) {
    try {
      Answer read = AnswerJson.read(answer.body(), implied);
      return read.retryAfter().isEmpty() && read.verdict().waits()
          ? read.withRetryAfter(answer.retryAfter())
          : read;
    } catch (InvalidFieldException | IOException | IllegalStateException e) {
      throw unusable(answer, url, e);
    }
  }

  private static UnusableAnswerException unusable(HttpAnswer answer, URI url, Exception cause) {
    String what =
        cause instanceof InvalidFieldException
            ? String.valueOf(cause.getMessage())
            : "it is no JSON document of a verdict: " + answer.excerpt();
    return new UnusableAnswerException(
        url + " answered " + answer.status() + " with what can't be used: " + what, cause);
  }
}
