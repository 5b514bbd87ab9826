// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are passed on with the user's token: those of the page itself, in the
 * browser that was opened with the key. Other programs of this machine don't know the key; other
 * sites in the same browser are told apart by the headers that browsers set and scripts can't.
 *
 * @param port of this server
 * @param key a secret of this run; no part of the user's credentials
 */
record PageAccess(int port, String key) {
  /** Where the browser shows the key once, and gets a cookie for it. */
  static final String ENTRANCE = "/open";

  /** Cookies are shared by all ports of a host. */
  private static final String COOKIE = "kueue4j-page-";

  /** The page's files and the JSON API, without anything that a URL could resolve or decode. */
  private static final Pattern PATH =
      Pattern.compile("/|/[a-z]+\\.[a-z]+|/view/v1(/[A-Za-z0-9][A-Za-z0-9.-]*)+");

  private static final String REMEDY = "open the address that 'kueue4j page' has printed";

  private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  /** The decision about a request. */
  sealed interface Decision {
    /** It is passed on. */
    record PassOn() implements Decision {}

    /** The browser is led to the page, with this cookie from then on. */
    record Enter(String cookie) implements Decision {}

    /** It is refused. */
    record Refuse(int status, String why) implements Decision {}
  }

  /**
   * Decides about a request.
   *
   * @param query encoded; null for none
   * @param header finds a header's value; null for none
   */
  Decision decide(
      String method,
      String path,
      @Nullable String query,
      Function<String, @Nullable String> header) {
    String host = Optional.ofNullable(header.apply("Host")).orElse("");
    if (NAMES.stream().noneMatch(name -> host.equals(name + ":" + port))) {
      // Another site's name that resolves to this machine would let its scripts read the answers.
      return new Decision.Refuse(421, "ask for localhost:" + port + ": this is no public server");
    }
    if (!method.equals("GET")) {
      return new Decision.Refuse(405, "only GET is possible: the page changes nothing");
    }
    if (isOfAnotherSite(host, header)) {
      return new Decision.Refuse(403, "only the page itself may ask");
    }
    if (path.equals(ENTRANCE)) {
      return same("key=" + key, Optional.ofNullable(query).orElse(""))
          ? new Decision.Enter(COOKIE + port + "=" + key + "; Path=/; HttpOnly; SameSite=Lax")
          : new Decision.Refuse(403, "the key is wrong; " + REMEDY);
    }
    if (!hasCookie(header)) {
      return new Decision.Refuse(403, "this browser has not been let in; " + REMEDY);
    }
    return PATH.matcher(path).matches()
        ? new Decision.PassOn()
        : new Decision.Refuse(404, "there is no such page; the view is at /");
  }

  /** Links of other sites may lead here; their scripts, frames and pictures may not ask. */
  private static boolean isOfAnotherSite(String host, Function<String, @Nullable String> header) {
    String origin = header.apply("Origin");
    if (origin != null && !origin.equals("http://" + host)) {
      return true;
    }
    String site = header.apply("Sec-Fetch-Site");
    return site != null
        && !Set.of("same-origin", "none").contains(site)
        && !("navigate".equals(header.apply("Sec-Fetch-Mode"))
            && "document".equals(header.apply("Sec-Fetch-Dest")));
  }

  private boolean hasCookie(Function<String, @Nullable String> header) {
    String wanted = COOKIE + port + "=" + key;
    String cookies = Optional.ofNullable(header.apply("Cookie")).orElse("");
    return Arrays.stream(cookies.split(";", -1))
        .map(String::strip)
        .anyMatch(each -> same(wanted, each));
  }

  /** Takes as long for a wrong key as for the right one. */
  private static boolean same(String wanted, String given) {
    return MessageDigest.isEqual(
        wanted.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
