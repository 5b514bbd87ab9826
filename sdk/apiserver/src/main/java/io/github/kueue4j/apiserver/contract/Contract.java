// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The contract: requests in order, with the answers that a real kube-apiserver gives. It needs
 * nothing but a reachable server and leaves nothing behind.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Contract {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SCRIPT = "contract.yaml";

  private Contract() {}

  /** The steps, to be run in this order by one {@link ContractRun}. */
  public static List<ContractStep> steps() {
    try (InputStream in = Contract.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException(
            "the resource " + SCRIPT + " is missing from the class path");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
      List<ContractStep> steps = new ArrayList<>();
      JSON.valueToTree(loaded).path("steps").forEach(step -> steps.add(step(step)));
      return List.copyOf(steps);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the resource " + SCRIPT, e);
    }
  }

  private static ContractStep step(JsonNode step) {
    String[] request = step.path("request").asText().split(" ", 2);
    Map<String, String> headers = new LinkedHashMap<>(texts(step.path("headers")));
    if (step.has("type")) {
      headers.put("Content-Type", step.path("type").asText());
    } else if (step.has("body")) {
      headers.putIfAbsent("Content-Type", "application/json");
    }
    JsonNode body = step.get("body");
    return new ContractStep(
        step.path("name").asText(),
        request[0],
        request[1],
        headers,
        body == null ? null : body.isTextual() ? body.asText() : body.toString(),
        step.path("status").asInt(),
        step.get("answer"),
        texts(step.path("save")),
        step.path("eventually").asBoolean(),
        minor(step.path("since").asText()));
  }

  /** The second number of a version such as 1.32; 0 without one. */
  private static int minor(String version) {
    return version.isEmpty() ? 0 : Integer.parseInt(version.substring(version.indexOf('.') + 1));
  }

  private static Map<String, String> texts(JsonNode map) {
    Map<String, String> result = new LinkedHashMap<>();
    map.properties().forEach(entry -> result.put(entry.getKey(), entry.getValue().asText()));
    return result;
  }
}
