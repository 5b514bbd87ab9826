// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.testdefaults.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The objects of a running cluster, as a person with a plain HTTP client sees them. Nothing of ours
 * stands in between: what a page shows must be right for everyone, and is validated strictly.
 */
final class LiveObjects implements AutoCloseable {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final int TRIES = 10;
  private static final String STRICT = "fieldValidation=Strict";
  private static final List<String> GROUPS =
      List.of(
          "/apis/kueue.x-k8s.io/v1beta2",
          "/apis/checks.kueue4j.io/v1alpha1",
          "/api/v1",
          "/apis/batch/v1",
          "/apis/scheduling.k8s.io/v1",
          "/apis/autoscaling.x-k8s.io/v1");

  /**
   * What a JSON block does: {@code workloads/status ml/train when QuotaReserved=True expect 422}.
   * What it waits for may be a condition or, for entries of checks, {@code budget=Pending}.
   */
  private static final Pattern PATCH =
      Pattern.compile("([a-z]+)(/status)? (\\S+)(?: when (\\S+)=(\\S+))?(?: expect (\\d+))?");

  private static final Pattern OBJECT = Pattern.compile("([a-z]+) (\\S+)");
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
  private static final Pattern WILDCARD = Pattern.compile(TIME + "|\\.\\.\\.");

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI server;

  LiveObjects(URI server) {
    this.server = server;
  }

  /** The documents of a YAML text. */
  static List<JsonObject> documents(String yaml) {
    return StreamSupport.stream(
            new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml).spliterator(), false)
        .filter(Objects::nonNull)
        .map(document -> KueueJson.toTree(document).getAsJsonObject())
        .toList();
  }

  /** Creates an object, or merges it into the one that exists. */
  void apply(JsonObject object) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    String collection = collection(object);
    String path = collection + "/" + metadata.get("name").getAsString();
    Answer created = send("POST", collection + "?" + STRICT, "application/json", object);
    if (created.status() == 409) {
      send("PATCH", path + "?" + STRICT, "application/merge-patch+json", object).mustBe(200, path);
    } else {
      created.mustBe(201, path);
    }
    if (object.has("status")) {
      JsonObject status = new JsonObject();
      status.add("status", object.get("status"));
      send("PATCH", path + "/status?" + STRICT, "application/merge-patch+json", status)
          .mustBe(200, path);
    }
  }

  private String collection(JsonObject object) {
    String version = object.get("apiVersion").getAsString();
    String kind = object.get("kind").getAsString();
    String group = (version.contains("/") ? "/apis/" : "/api/") + version;
    JsonObject metadata = object.getAsJsonObject("metadata");
    return resources(group).stream()
        .filter(each -> each.get("kind").getAsString().equals(kind))
        .filter(each -> !each.get("name").getAsString().contains("/"))
        .map(
            each ->
                group
                    + (each.get("namespaced").getAsBoolean()
                        ? "/namespaces/"
                            + (metadata.has("namespace")
                                ? metadata.get("namespace").getAsString()
                                : "default")
                        : "")
                    + "/"
                    + each.get("name").getAsString())
        .findFirst()
        .orElseThrow(() -> new AssertionError("the server knows no " + version + " " + kind));
  }

  private List<JsonObject> resources(String group) {
    Answer answer = send("GET", group, "", JsonNull.INSTANCE);
    answer.mustBe(200, group);
    return answer.body().getAsJsonObject().getAsJsonArray("resources").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .toList();
  }

  /** Waits for what a patch waits for, and sends it: a JSON patch or a merge patch. */
  void patch(String instruction, JsonElement patch) {
    Matcher what = awaitTurn(instruction);
    String path = path(what.group(1), what.group(3));
    int expected = what.group(6) == null ? 200 : Integer.parseInt(what.group(6));
    String type = patch instanceof JsonArray ? "json-patch" : "merge-patch";
    String subresource = Optional.ofNullable(what.group(2)).orElse("");
    Answer answer;
    int tries = 0;
    do {
      if (patch instanceof JsonArray operations) {
        withCurrentVersion(operations, path);
      }
      answer =
          send("PATCH", path + subresource + "?" + STRICT, "application/" + type + "+json", patch);
      // The core wrote since it was read: as the pages say, one reads again then.
    } while (answer.status() == 409 && expected != 409 && ++tries < TRIES);
    answer.mustBe(expected, path);
  }

  /** Waits for what a patch waits for. */
  Matcher awaitTurn(String instruction) {
    Matcher what = PATCH.matcher(instruction);
    assertThat(what.matches()).as("'patch: " + instruction + "' is " + PATCH).isTrue();
    if (what.group(4) != null) {
      String path = path(what.group(1), what.group(3));
      String awaited = what.group(4) + "=" + what.group(5);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(states(get(path))).contains(awaited));
    }
    return what;
  }

  /** The version in a page's patch is an example; a reader puts in the one that was read. */
  private void withCurrentVersion(JsonArray operations, String path) {
    for (JsonElement operation : operations) {
      JsonObject fields = operation.getAsJsonObject();
      if (fields.get("path").getAsString().equals("/metadata/resourceVersion")) {
        JsonObject metadata = get(path).getAsJsonObject("metadata");
        fields.add("value", metadata.get("resourceVersion"));
      }
    }
  }

  /** Conditions and entries of checks, such as {@code Admitted=True} and {@code budget=Ready}. */
  private static List<String> states(JsonObject object) {
    JsonObject status =
        Optional.ofNullable(object.getAsJsonObject("status")).orElseGet(JsonObject::new);
    return Stream.concat(
            list(status, "conditions").map(each -> pair(each, "type", "status")),
            list(status, "admissionChecks").map(each -> pair(each, "name", "state")))
        .toList();
  }

  private static Stream<JsonObject> list(JsonObject status, String name) {
    return status.has(name)
        ? status.getAsJsonArray(name).asList().stream().map(JsonElement::getAsJsonObject)
        : Stream.empty();
  }

  private static String pair(JsonObject object, String key, String value) {
    return object.get(key).getAsString() + "=" + object.get(value).getAsString();
  }

  /** Waits until the object has everything that the excerpt shows. */
  void shows(String object, JsonObject excerpt) {
    Matcher what = OBJECT.matcher(object);
    assertThat(what.matches()).as("'shows: " + object + "' is " + OBJECT).isTrue();
    String path = path(what.group(1), what.group(2));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonObject live = get(path);
              assertThat(difference("", excerpt, live)).as("compared with " + live).isEmpty();
            });
  }

  private String path(String plural, String key) {
    String[] parts = key.split("/", 2);
    for (String group : GROUPS) {
      if (resources(group).stream()
          .anyMatch(each -> each.get("name").getAsString().equals(plural))) {
        return parts.length == 1
            ? group + "/" + plural + "/" + key
            : group + "/namespaces/" + parts[0] + "/" + plural + "/" + parts[1];
      }
    }
    throw new AssertionError("no resource " + plural + " in " + GROUPS);
  }

  private JsonObject get(String path) {
    Answer answer = send("GET", path, "", JsonNull.INSTANCE);
    answer.mustBe(200, path);
    return answer.body().getAsJsonObject();
  }

  /**
   * Where {@code live} lacks something that is shown; a time stands for any, "..." for any text.
   */
  static Optional<String> difference(String path, JsonElement shown, @Nullable JsonElement live) {
    if (live == null) {
      return Optional.of(path + " is missing");
    }
    if (shown instanceof JsonObject fields && live instanceof JsonObject object) {
      return fields.entrySet().stream()
          .map(
              field ->
                  difference(
                      path + "." + field.getKey(), field.getValue(), object.get(field.getKey())))
          .flatMap(Optional::stream)
          .findFirst();
    }
    if (shown instanceof JsonArray elements && live instanceof JsonArray array) {
      return elements.asList().stream()
          .filter(
              element ->
                  array.asList().stream()
                      .noneMatch(each -> difference("", element, each).isEmpty()))
          .findFirst()
          .map(missing -> path + " has no element like " + missing);
    }
    return same(shown, live)
        ? Optional.empty()
        : Optional.of(path + " is " + live + ", not " + shown);
  }

  private static boolean same(JsonElement shown, JsonElement live) {
    if (shown.equals(live)) {
      return true;
    }
    if (!shown.isJsonPrimitive() || !live.isJsonPrimitive()) {
      return false;
    }
    StringBuilder pattern = new StringBuilder();
    Matcher wildcard = WILDCARD.matcher(shown.getAsString());
    int from = 0;
    while (wildcard.find()) {
      pattern.append(Pattern.quote(shown.getAsString().substring(from, wildcard.start())));
      pattern.append(wildcard.group().equals("...") ? "(?s:.*)" : TIME);
      from = wildcard.end();
    }
    pattern.append(Pattern.quote(shown.getAsString().substring(from)));
    return live.getAsString().matches(pattern.toString());
  }

  private record Answer(int status, JsonElement body) {
    void mustBe(int expected, String what) {
      assertThat(status).as(what + " answered " + body).isEqualTo(expected);
    }
  }

  private Answer send(String verb, String path, String type, JsonElement body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
    if (body.isJsonNull()) {
      request.GET();
    } else {
      request.method(verb, HttpRequest.BodyPublishers.ofString(body.toString()));
      request.header("Content-Type", type);
    }
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), JsonParser.parseString(response.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
