// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the contract's steps against one server and compares. Steps build on each other, so
 * one run takes them all in order. Not thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class ContractRun {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EVENTUALLY_TRIES = 100;
  private static final Duration EVENTUALLY_PAUSE = Duration.ofMillis(100);

  private final HttpClient client;
  private final URI server;
  private final Map<String, String> headers;
  private final Map<String, String> variables = new LinkedHashMap<>();

  /**
   * Prepares a run.
   *
   * @param client trusts the server's certificate if it has one
   * @param server base URL
   * @param headers sent with every request, such as Authorization
   * @param namespace a name that no namespace has yet; the run creates and deletes it
   */
  public ContractRun(HttpClient client, URI server, Map<String, String> headers, String namespace) {
    this.client = client;
    this.server = server;
    this.headers = Map.copyOf(headers);
    variables.put("ns", namespace);
  }

  /**
   * Sends a step's request and compares the answer; a server that is too old for the step isn't
   * asked.
   *
   * @return what differs, empty if the answer is as expected
   * @throws IOException if the server can't be reached
   */
  public Optional<String> run(ContractStep step) throws IOException, InterruptedException {
    if (step.sinceMinor() > 0 && step.sinceMinor() > minor()) {
      return Optional.empty();
    }
    Optional<String> difference = once(step);
    for (int i = 0; step.eventually() && difference.isPresent() && i < EVENTUALLY_TRIES; i++) {
      Thread.sleep(EVENTUALLY_PAUSE);
      difference = once(step);
    }
    return difference;
  }

  /** The 36 of Kubernetes 1.36; a provider may have added to it, as in "36+". */
  private int minor() throws IOException, InterruptedException {
    HttpResponse<String> response = send("GET", "/version", Map.of(), null);
    String minor = JSON.readTree(response.body()).path("minor").asText();
    return Integer.parseInt(minor.replaceAll("[^0-9].*", ""));
  }

  private Optional<String> once(ContractStep step) throws IOException, InterruptedException {
    HttpResponse<String> response = send(step.method(), step.path(), step.headers(), step.body());
    String seen = response.statusCode() + " " + response.body();
    if (response.statusCode() != step.status()) {
      return Optional.of("expected status " + step.status() + ", got " + seen);
    }
    JsonNode expected = step.answer();
    if (expected == null) {
      return Optional.empty();
    }
    JsonNode answer = firstValue(response.body());
    step.save().forEach((name, path) -> variables.put(name, textAt(answer, path)));
    return difference(expected, answer, "")
        .map(difference -> difference + " in the answer " + seen);
  }

  private HttpResponse<String> send(
      String method, String path, Map<String, String> ofTheStep, @Nullable String body)
      throws IOException, InterruptedException {
    String target = server.toString().replaceAll("/+$", "") + filled(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target)).timeout(Duration.ofSeconds(30));
    headers.forEach(request::setHeader);
    ofTheStep.forEach(request::setHeader);
    request.method(
        method,
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(filled(body)));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The body's first JSON value: of a watch, its first event. */
  private static JsonNode firstValue(String body) throws JsonProcessingException {
    return JSON.readTree(body);
  }

  private String filled(String text) {
    String result = text;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      result = result.replace("${" + variable.getKey() + "}", variable.getValue());
    }
    return result;
  }

  private static String textAt(JsonNode tree, String path) {
    JsonNode value = tree;
    for (String step : path.split("\\.", -1)) {
      value = value.isArray() ? value.path(Integer.parseInt(step)) : value.path(step);
    }
    return value.asText();
  }

  private Optional<String> difference(JsonNode expected, @Nullable JsonNode actual, String path) {
    if (expected.isNull()) {
      return actual == null || actual.isNull()
          ? Optional.empty()
          : Optional.of("expected nothing at " + path);
    }
    if (actual == null || actual.isMissingNode()) {
      return Optional.of("expected something at " + path);
    }
    if (expected.isObject()) {
      for (Map.Entry<String, JsonNode> field : expected.properties()) {
        Optional<String> different =
            difference(field.getValue(), actual.get(field.getKey()), path + "." + field.getKey());
        if (different.isPresent()) {
          return different;
        }
      }
      return Optional.empty();
    }
    if (expected.isArray()) {
      if (actual.size() != expected.size()) {
        return Optional.of("expected " + expected.size() + " elements at " + path);
      }
      for (int i = 0; i < expected.size(); i++) {
        Optional<String> different =
            difference(expected.get(i), actual.get(i), path + "[" + i + "]");
        if (different.isPresent()) {
          return different;
        }
      }
      return Optional.empty();
    }
    return textMatches(filled(expected.asText()), actual)
        ? Optional.empty()
        : Optional.of("expected " + filled(expected.asText()) + " at " + path);
  }

  private static boolean textMatches(String expected, JsonNode actual) {
    if (expected.equals("*")) {
      return true;
    }
    if (expected.startsWith("~")) {
      return actual.asText().contains(expected.substring(1));
    }
    return actual.isValueNode() && actual.asText().equals(expected);
  }
}
