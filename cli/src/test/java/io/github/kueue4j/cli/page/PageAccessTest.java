// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.cli.page.PageAccess.Decision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageAccessTest {
  private static final String COOKIE = "other=1; kueue4j-page-8447=secret";

  private final PageAccess access = new PageAccess(8447, "secret");

  @Test
  void letsInWhoHasTheKey() {
    assertThat(access.decide("GET", "/open", "key=secret", headers()::get))
        .isEqualTo(new Decision.Enter("kueue4j-page-8447=secret; Path=/; HttpOnly; SameSite=Lax"));
    for (String query : List.of("key=", "key=secre", "key=secret2", "secret=", "secret")) {
      assertRefused(403, access.decide("GET", "/open", query, headers()::get));
    }
    assertRefused(403, access.decide("GET", "/open", null, headers()::get));
  }

  @Test
  void passesOnWhatThePageAsksWithItsCookie() {
    for (String path :
        List.of("/", "/main.js", "/view/v1/queues", "/view/v1/namespaces/a-b/workloads/c.d-1")) {
      assertThat(get(path, "Cookie", COOKIE)).as(path).isEqualTo(new Decision.PassOn());
    }
    assertThat(get("/", "Cookie", COOKIE, "Host", "127.0.0.1:8447"))
        .isEqualTo(new Decision.PassOn());
    assertThat(get("/", "Cookie", COOKIE, "Host", "[::1]:8447")).isEqualTo(new Decision.PassOn());
  }

  @Test
  void refusesOtherProgramsOfTheMachine() {
    assertRefused(403, get("/view/v1/queues"));
    assertRefused(403, get("/view/v1/queues", "Cookie", "kueue4j-page-8447=guess"));
    assertRefused(403, get("/view/v1/queues", "Cookie", "kueue4j-page-8448=secret"));
    assertRefused(403, get("/view/v1/queues", "Cookie", "kueue4j-page-8447="));
  }

  /** A site's name that resolves to this machine: DNS rebinding. */
  @Test
  void refusesOtherNames() {
    for (String host :
        List.of("evil.example:8447", "localhost", "localhost:80", "localhost.evil:8447", "")) {
      assertRefused(421, get("/", "Cookie", COOKIE, "Host", host));
    }
  }

  @Test
  void refusesScriptsOfOtherSites() {
    assertThat(get("/view/v1/queues", "Cookie", COOKIE, "Origin", "http://localhost:8447"))
        .isEqualTo(new Decision.PassOn());
    for (String origin :
        List.of("http://localhost:3000", "https://localhost:8447", "http://evil.example", "null")) {
      assertRefused(403, get("/view/v1/queues", "Cookie", COOKIE, "Origin", origin));
    }
    for (String site : List.of("same-site", "cross-site")) {
      assertRefused(403, get("/view/v1/queues", "Cookie", COOKIE, "Sec-Fetch-Site", site));
      assertRefused(
          403,
          get(
              "/",
              "Cookie",
              COOKIE,
              "Sec-Fetch-Site",
              site,
              "Sec-Fetch-Mode",
              "navigate",
              "Sec-Fetch-Dest",
              "iframe"));
      assertThat(
              get(
                  "/",
                  "Cookie",
                  COOKIE,
                  "Sec-Fetch-Site",
                  site,
                  "Sec-Fetch-Mode",
                  "navigate",
                  "Sec-Fetch-Dest",
                  "document"))
          .as("a link that leads here")
          .isEqualTo(new Decision.PassOn());
    }
  }

  @Test
  void refusesWhatIsNoPartOfThePage() {
    for (String path :
        List.of(
            "/view/v1/../../../secrets",
            "/view/v1/%2e%2e/secrets",
            "/view/v1//queues",
            "/view/v1/a%2fb",
            "/view/v2/queues",
            "/../api/v1/secrets",
            "//main.js")) {
      assertRefused(404, get(path, "Cookie", COOKIE));
    }
    for (String method : List.of("POST", "HEAD", "OPTIONS", "CONNECT")) {
      assertRefused(405, access.decide(method, "/", null, headers("Cookie", COOKIE)::get));
    }
  }

  private Decision get(String path, String... headers) {
    return access.decide("GET", path, null, headers(headers)::get);
  }

  private static Map<String, String> headers(String... pairs) {
    Map<String, String> headers = new HashMap<>(Map.of("Host", "localhost:8447"));
    for (int index = 0; index < pairs.length; index += 2) {
      headers.put(pairs[index], pairs[index + 1]);
    }
    return headers;
  }

  private static void assertRefused(int status, Decision decision) {
    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Refuse.class, refuse -> assertThat(refuse.status()).isEqualTo(status));
  }
}
