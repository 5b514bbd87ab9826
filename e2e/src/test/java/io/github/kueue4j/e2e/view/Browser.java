// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.view;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.github.kueue4j.e2e.cluster.LocalProcess;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A headless Chromium, driven over WebDriver (W3C Recommendation): the program {@code chromedriver}
 * beside it speaks that.
 */
final class Browser implements AutoCloseable {
  private static final String MISSING =
      "no chromium and chromedriver on the PATH; Debian has them in chromium and chromium-driver";
  private static final Gson GSON = new Gson();

  private final LocalProcess driver;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String base;
  private final String session;

  private Browser(Path folder, String program) throws IOException, InterruptedException {
    int port = LocalProcess.freePort();
    base = "http://127.0.0.1:" + port;
    driver = LocalProcess.start("chromedriver", folder, List.of(program, "--port=" + port));
    driver.awaitReady(Duration.ofSeconds(60), this::ready);
    session =
        base
            + "/session/"
            + send(
                    "POST",
                    base + "/session",
                    Map.of(
                        "capabilities",
                        Map.of(
                            "alwaysMatch",
                            Map.of(
                                "goog:loggingPrefs",
                                Map.of("browser", "ALL"),
                                "goog:chromeOptions",
                                Map.of(
                                    "args",
                                    List.of(
                                        "--headless=new",
                                        "--no-sandbox",
                                        "--disable-gpu",
                                        "--disable-dev-shm-usage",
                                        "--hide-scrollbars",
                                        "--window-size=1360,850"))))))
                .getAsJsonObject()
                .get("sessionId")
                .getAsString();
  }

  /** A browser, or the reason why the test is skipped. */
  static Browser start(Path folder) throws IOException, InterruptedException {
    Optional<Path> driver = onPath("chromedriver");
    assumeTrue(driver.isPresent() && onPath("chromium").isPresent(), MISSING);
    return new Browser(folder, driver.orElseThrow().toString());
  }

  private static Optional<Path> onPath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private boolean ready() {
    try {
      return send("GET", base + "/status", null).getAsJsonObject().get("ready").getAsBoolean();
    } catch (ConnectException notYet) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("chromedriver doesn't answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while chromedriver starts", e);
    }
  }

  private JsonElement send(String method, String address, @Nullable Object body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(address))
                .method(
                    method,
                    body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(GSON.toJson(body)))
                .timeout(Duration.ofSeconds(60))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    JsonElement value = JsonParser.parseString(answer.body()).getAsJsonObject().get("value");
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(method + " " + address + ": " + value);
    }
    return value;
  }

  void open(String address) throws Exception {
    send("POST", session + "/url", Map.of("url", address));
  }

  /** The result of a script's return statement. */
  JsonElement run(String script, Object... arguments) throws Exception {
    return send(
        "POST", session + "/execute/sync", Map.of("script", script, "args", List.of(arguments)));
  }

  /** The result that a script passes to its last argument. */
  JsonElement runAsync(String script) throws Exception {
    return send("POST", session + "/execute/async", Map.of("script", script, "args", List.of()));
  }

  /** The text that people see. */
  String text() throws Exception {
    return run("return document.body.innerText").getAsString();
  }

  /** Waits until people see this. */
  void awaitText(String text) {
    await().alias("the page shows " + text).until(this::text, shown -> shown.contains(text));
  }

  byte[] screenshot() throws Exception {
    return Base64.getDecoder().decode(send("GET", session + "/screenshot", null).getAsString());
  }

  /** What the browser complained about since the last call. */
  List<String> complaints() throws Exception {
    return send("POST", session + "/se/log", Map.of("type", "browser"))
        .getAsJsonArray()
        .asList()
        .stream()
        .map(JsonElement::toString)
        .toList();
  }

  @Override
  public void close() throws IOException {
    try {
      send("DELETE", session, null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      client.close();
      driver.close();
    }
  }
}
