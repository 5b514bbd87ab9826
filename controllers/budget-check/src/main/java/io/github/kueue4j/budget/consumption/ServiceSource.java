// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.consumption;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.RecordReader;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.http.HttpAnswer;
import io.github.kueue4j.http.HttpBackends;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Services that tell what was spent over the HTTP contract of {@code
 * docs/budget-consumption-openapi.yaml}. Only a document of the contract is an answer: what stands
 * in the way to a service answers, too.
 */
final class ServiceSource {
  static final String VERSION = "kueue4j.io/budget-consumption/v1";

  private static final int OK = 200;
  private static final int LONGEST_ANSWER = 64 << 10;
  private static final String DOCUMENT = "answer";

  /** Other names in an answer may be anything, and messages are read by tenants. */
  private static final Pattern OWN_NAME =
      Pattern.compile("(?:answer\\.)?(answer|value|asOf|namespace|queue|unit)");

  private static final Logger log = LoggerFactory.getLogger(ServiceSource.class);

  private final HttpBackends backends;

  ServiceSource(HttpBackends backends) {
    this.backends = backends;
  }

  /**
   * The document of an answer.
   *
   * @param value in the policy's unit; absent: there is no data of what was asked about
   * @param asOf until when what was spent is in the value
   * @param namespace the question's, repeated, as are the others
   */
  record Statement(
      Optional<Double> value,
      Instant asOf,
      Optional<String> namespace,
      Optional<String> queue,
      Optional<String> unit) {

    Statement {
      value
          .filter(spent -> !(spent >= 0 && Double.isFinite(spent)))
          .ifPresent(
              spent -> {
                throw new InvalidFieldException(
                    "value", spent.toString(), "write a number of 0 or more");
              });
    }

    void requireSame(Policy policy, Question question) {
      requireSame("namespace", namespace, question.namespace());
      requireSame("queue", queue, question.queue());
      requireSame("unit", unit, policy.spec().unit().orElse(""));
    }

    private static void requireSame(String field, Optional<String> answered, String asked) {
      if (answered.filter(text -> !text.equals(asked)).isPresent()) {
        throw new InvalidFieldException(
            DOCUMENT + '.' + field,
            answered.get(),
            "it answers another question; write that of the question, or leave it out");
      }
    }
  }

  /**
   * Finite and not negative.
   *
   * @throws ConsumptionUnknownException if the service has no data of this namespace
   * @throws BackendUnavailableException if it doesn't answer, or not what can be used
   */
  double spent(Policy policy, Question question) throws InterruptedException {
    HttpEndpoint endpoint = question.spec().http().orElseThrow();
    HttpAnswer answer =
        backends
            .at(endpoint)
            .send(
                HttpCall.postJson(document(policy, question).toString())
                    .withHeader("Cache-Control", "no-cache")
                    .withLongestAnswer(LONGEST_ANSWER));
    Statement read = read(answer, endpoint.url(), policy, question);
    if (Duration.between(read.asOf(), question.now()).abs().compareTo(question.spec().ageLimit())
        > 0) {
      throw new BackendUnavailableException(
          endpoint.url()
              + " answered what was spent as of "
              + read.asOf()
              + ", which is further from now than spec.consumption.maxAge: see that it gets new"
              + " data, and that its clock is right");
    }
    return read.value()
        .orElseThrow(
            () ->
                new ConsumptionUnknownException(
                    MeasuredConsumption.cantBeMeasured(
                        policy,
                        endpoint.url()
                            + " has no data of the "
                            + (question.queue().isEmpty()
                                ? "namespace"
                                : "LocalQueue '" + question.queue() + "'"))));
  }

  /** The document that is sent. */
  static JsonObject document(Policy policy, Question question) {
    JsonObject window = new JsonObject();
    window.addProperty("start", question.start().truncatedTo(ChronoUnit.MILLIS).toString());
    window.addProperty("end", question.now().truncatedTo(ChronoUnit.MILLIS).toString());
    JsonObject document = new JsonObject();
    document.addProperty("version", VERSION);
    document.addProperty("policy", policy.name());
    document.addProperty("namespace", question.namespace());
    if (!question.queue().isEmpty()) {
      document.addProperty("queue", question.queue());
    }
    policy.spec().unit().ifPresent(unit -> document.addProperty("unit", unit));
    document.add("window", window);
    return document;
  }

  private static Statement read(HttpAnswer answer, URI url, Policy policy, Question question) {
    if (answer.status() != OK) {
      throw new BackendUnavailableException(
          url + " answered " + answer.statusText() + ", and only 200 with a document is an answer");
    }
    try {
      if (!answer.contentType().equals("application/json")) {
        throw new IllegalArgumentException("its content type is not application/json");
      }
      Statement read = RecordReader.readWrittenJson(answer.body(), Statement.class, DOCUMENT);
      read.requireSame(policy, question);
      return read;
    } catch (InvalidFieldException e) {
      Matcher own = OWN_NAME.matcher(e.field());
      throw unusable(answer, url, (own.matches() ? own.group(1) : "a field") + ": " + e.remedy());
    } catch (IllegalArgumentException e) {
      throw unusable(answer, url, "it is no JSON document of the contract, application/json");
    }
  }

  /** Without the cause, which quotes the answer. */
  private static BackendUnavailableException unusable(HttpAnswer answer, URI url, String problem) {
    log.atInfo()
        .addKeyValue("url", url)
        .addKeyValue("problem", problem)
        .addKeyValue("body", answer.excerpt())
        .log("The answer of a service of consumption can't be used");
    return new BackendUnavailableException(url + " answered what can't be used: " + problem);
  }
}
