// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.http.HttpAnswer;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads answers of the HTTP API of Prometheus: {@code prometheus.io/docs/prometheus/querying/api}.
 *
 * <p>No message quotes the answer, since tenants read messages and what answers may be an error
 * page of anything; what can't be used is logged.
 */
final class AnswerReader {
  /** Errors of the server; any other type is about the query. */
  private static final Set<String> SERVER_ERRORS =
      Set.of("timeout", "canceled", "internal", "unavailable", "not_acceptable");

  /** Errors that the query is to blame for, or that concern it alone. */
  private static final Set<String> QUERY_ERRORS = Set.of("bad_data", "execution", "not_found");

  private static final JsonElement WHOLE = new JsonPrimitive(false);

  private static final Logger log = LoggerFactory.getLogger(AnswerReader.class);

  private final String query;
  private final String server;

  /**
   * @param query the PromQL that was asked
   * @param server for messages
   */
  AnswerReader(String query, String server) {
    this.query = query;
    this.server = server;
  }

  /**
   * Reads an answer; errors come with a body, too.
   *
   * @throws PrometheusException if the server refused the query, or its result is of another kind
   * @throws BackendUnavailableException if the server failed or warned that its answer may not be
   *     whole, or this is no answer of Prometheus
   */
  PrometheusAnswer read(HttpAnswer answer) {
    try {
      JsonObject read = object(parsed(answer.body()), "the answer");
      return switch (text(read, "status")) {
        case "success" -> {
          refuseWarnings(answer, read.get("warnings"));
          refusePart(answer, read.get("isPartial"));
          yield success(read);
        }
        case "error" -> throw failed(answer, text(read, "errorType"));
        default -> throw new MalformedAnswerException("its status is neither success nor error");
      };
    } catch (MalformedAnswerException e) {
      tell(answer, String.valueOf(e.getMessage()));
      throw new BackendUnavailableException(
          "%s gave HTTP %s and no answer of Prometheus (%s): check the URL"
              .formatted(server, answer.statusText(), e.getMessage()));
    }
  }

  private void refuseWarnings(HttpAnswer answer, @Nullable JsonElement warnings) {
    if (warnings == null || warnings.isJsonNull()) {
      return;
    }
    boolean none = warnings.isJsonArray() && warnings.getAsJsonArray().isEmpty();
    if (!none) {
      tell(answer, "it has warnings");
      throw notWhole("warnings with the answer", "; the log of the controller has them");
    }
  }

  /** VictoriaMetrics says so while one of its storage nodes doesn't answer. */
  private void refusePart(HttpAnswer answer, @Nullable JsonElement isPartial) {
    if (isPartial != null && !isPartial.isJsonNull() && !isPartial.equals(WHOLE)) {
      tell(answer, "it is partial");
      throw notWhole("a partial answer", "");
    }
  }

  private BackendUnavailableException notWhole(String what, String more) {
    return new BackendUnavailableException(
        "%s gave %s to the query %s: it may not be whole, and counts as none%s"
            .formatted(server, what, PrometheusException.shortened(query), more));
  }

  /** HTTP errors were logged already, when they were received. */
  private void tell(HttpAnswer answer, String problem) {
    if (answer.isSuccess()) {
      log.atInfo()
          .addKeyValue("url", server)
          .addKeyValue("problem", problem)
          .addKeyValue("body", answer.excerpt())
          .log("An answer of Prometheus can't be used");
    }
  }

  private RuntimeException failed(HttpAnswer answer, String type) {
    tell(answer, "it is an error");
    boolean ofServer = SERVER_ERRORS.contains(type);
    String known = ofServer || QUERY_ERRORS.contains(type) ? type : "of a type that is not known";
    return ofServer
        ? new BackendUnavailableException(
            "%s could not answer the query %s (HTTP %s, %s)"
                .formatted(server, PrometheusException.shortened(query), answer.status(), known))
        : new PrometheusException(
            query,
            "Prometheus refused it (" + known + "); the log of the controller has its words");
  }

  private PrometheusAnswer success(JsonObject answer) {
    JsonObject data = object(answer.get("data"), "data");
    String kind = text(data, "resultType");
    List<Sample> samples =
        switch (kind) {
          case "vector" -> vector(array(data.get("result"), "data.result"));
          case "scalar" -> List.of(new Sample(Map.of(), value(data.get("result"))));
          case "matrix" ->
              throw new PrometheusException(
                  query,
                  "it gives ranges of values: aggregate them over time, such as with rate(...) or"
                      + " avg_over_time(...)");
          default ->
              throw new PrometheusException(
                  query,
                  "it gives "
                      + (kind.equals("string") ? "a string" : "another kind of result")
                      + ", and a vector or a scalar is needed");
        };
    return new PrometheusAnswer(query, samples);
  }

  private List<Sample> vector(JsonArray result) {
    if (result.size() > PrometheusClient.MAX_SAMPLES) {
      throw new PrometheusException(
          query,
          "it gives %s series, more than %s: aggregate them with sum(...) or max(...)"
              .formatted(result.size(), PrometheusClient.MAX_SAMPLES));
    }
    List<Sample> samples = new ArrayList<>(result.size());
    for (JsonElement element : result) {
      JsonObject series = object(element, "a series");
      if (series.get("value") == null && series.get("histogram") != null) {
        throw new PrometheusException(
            query, "it gives histograms: take a number of them with histogram_quantile(...)");
      }
      Map<String, String> labels = new HashMap<>();
      object(series.get("metric"), "metric")
          .entrySet()
          .forEach(label -> labels.put(label.getKey(), text(label.getValue(), "a label")));
      samples.add(new Sample(labels, value(series.get("value"))));
    }
    return samples;
  }

  /** The value of a pair of time and value. */
  private static double value(@Nullable JsonElement pair) {
    JsonArray both = array(pair, "value");
    if (both.size() != 2) {
      throw new MalformedAnswerException("a value has " + both.size() + " parts, not two");
    }
    String text = text(both.get(1), "value");
    return switch (text) {
      case "NaN" -> Double.NaN;
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> number(text);
    };
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new MalformedAnswerException("a value is no number");
    }
  }

  private static JsonElement parsed(String body) {
    try {
      return JsonParser.parseString(body);
    } catch (JsonParseException e) {
      throw new MalformedAnswerException("it is no JSON, or not all of it");
    }
  }

  private static JsonObject object(@Nullable JsonElement json, String what) {
    if (json == null || !json.isJsonObject()) {
      throw new MalformedAnswerException(what + " is no object");
    }
    return json.getAsJsonObject();
  }

  private static JsonArray array(@Nullable JsonElement json, String what) {
    if (json == null || !json.isJsonArray()) {
      throw new MalformedAnswerException(what + " is no list");
    }
    return json.getAsJsonArray();
  }

  private static String text(JsonObject object, String name) {
    return text(object.get(name), name);
  }

  private static String text(@Nullable JsonElement json, String what) {
    if (json == null || !json.isJsonPrimitive()) {
      throw new MalformedAnswerException(what + " is no text");
    }
    return json.getAsString();
  }

  /** Something that isn't Prometheus has answered. Causes would quote it. */
  private static final class MalformedAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedAnswerException(String message) {
      super(message);
    }
  }
}
