// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http.prometheus;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.kueue4j.http.Excerpt;
import io.github.kueue4j.sdk.BackendUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers of the HTTP API of Prometheus: {@code prometheus.io/docs/prometheus/querying/api}.
 */
final class AnswerReader {
  /** Errors of the server; any other type is about the query. */
  private static final Set<String> SERVER_ERRORS =
      Set.of("timeout", "canceled", "internal", "unavailable", "not_acceptable");

  private static final int MAX_WARNINGS = 10;

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
   * Reads the body of an answer.
   *
   * @param status of HTTP; errors come with a body, too
   * @throws PrometheusException if the server refused the query, or its result is of another kind
   * @throws BackendUnavailableException if the server failed, or this is no answer of Prometheus
   */
  PrometheusAnswer read(int status, String body) {
    try {
      JsonObject answer = object(parsed(body), "the answer");
      return switch (text(answer, "status")) {
        case "success" -> success(answer);
        case "error" ->
            throw failed(status, text(answer, "errorType"), Excerpt.of(text(answer, "error")));
        default -> throw new MalformedAnswerException("its status is " + answer.get("status"));
      };
    } catch (MalformedAnswerException e) {
      throw new BackendUnavailableException(
          server
              + " gave HTTP "
              + status
              + " and no answer of Prometheus ("
              + Excerpt.of(String.valueOf(e.getMessage()))
              + "): check the URL; it began with '"
              + Excerpt.of(body)
              + "'",
          e);
    }
  }

  private RuntimeException failed(int status, String type, String error) {
    return SERVER_ERRORS.contains(type)
        ? new BackendUnavailableException(
            server
                + " could not answer the query "
                + PrometheusException.shortened(query)
                + " (HTTP "
                + status
                + ", "
                + Excerpt.of(type)
                + "): "
                + error)
        : new PrometheusException(query, error + " (" + Excerpt.of(type) + ")");
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
                  query, "it gives a " + Excerpt.of(kind) + ", and a vector or a scalar is needed");
        };
    return new PrometheusAnswer(query, samples, warnings(answer.get("warnings")));
  }

  private List<Sample> vector(JsonArray result) {
    if (result.size() > PrometheusClient.MAX_SAMPLES) {
      throw new PrometheusException(
          query,
          "it gives "
              + result.size()
              + " series, more than "
              + PrometheusClient.MAX_SAMPLES
              + ": aggregate them with sum(...) or max(...)");
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
          .forEach(label -> labels.put(label.getKey(), text(label.getValue(), label.getKey())));
      samples.add(new Sample(labels, value(series.get("value"))));
    }
    return samples;
  }

  /** Of a pair of time and value. */
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
      throw new MalformedAnswerException("the value '" + text + "' is no number", e);
    }
  }

  private static List<String> warnings(@Nullable JsonElement warnings) {
    List<String> texts = new ArrayList<>();
    if (warnings != null && warnings.isJsonArray()) {
      for (JsonElement warning : warnings.getAsJsonArray()) {
        if (texts.size() < MAX_WARNINGS) {
          texts.add(Excerpt.of(text(warning, "a warning")));
        }
      }
    }
    return texts;
  }

  private static JsonElement parsed(String body) {
    try {
      return JsonParser.parseString(body);
    } catch (JsonParseException e) {
      throw new MalformedAnswerException("it is no JSON, or not all of it", e);
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

  /** Something that isn't Prometheus has answered. */
  private static final class MalformedAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedAnswerException(String message) {
      super(message);
    }

    MalformedAnswerException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
