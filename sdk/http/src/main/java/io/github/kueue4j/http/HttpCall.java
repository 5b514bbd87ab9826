// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One request to an endpoint.
 *
 * @param method {@code GET} or {@code POST}
 * @param path below the path of the endpoint's URL, its segments separated by slashes; empty: that
 *     path itself
 * @param query names and values behind the question mark
 * @param form names and values that are sent as a form; only with POST and without a body
 * @param json the body; only with POST
 * @param headers besides those of the endpoint
 * @param timeout for the whole call, if it is shorter than the endpoint's; absent: the endpoint's
 * @param longestAnswer bytes of the answer's body, at most 64 MiB
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HttpCall(
    String method,
    String path,
    List<Field> query,
    List<Field> form,
    Optional<String> json,
    List<Field> headers,
    Optional<Duration> timeout,
    int longestAnswer) {

  private static final int DEFAULT_LONGEST = 1 << 20;
  private static final int MOST = 64 << 20;

  /**
   * A name with its value. In a query and a form a name may occur several times; of headers of one
   * name the last is sent.
   */
  public record Field(String name, String value) {}

  /**
   * @throws IllegalArgumentException if the parts don't fit each other
   */
  public HttpCall {
    query = List.copyOf(query);
    form = List.copyOf(form);
    headers = List.copyOf(headers);
    if (!method.equals("GET") && !method.equals("POST")) {
      throw new IllegalArgumentException("the method must be GET or POST: " + method);
    }
    if (method.equals("GET") && (json.isPresent() || !form.isEmpty())) {
      throw new IllegalArgumentException("a GET has no body: use HttpCall.post");
    }
    if (json.isPresent() && !form.isEmpty()) {
      throw new IllegalArgumentException("a POST has a form or a body, not both");
    }
    if (longestAnswer < 0 || longestAnswer > MOST) {
      throw new IllegalArgumentException(
          "an answer may have 0 to " + MOST + " bytes: " + longestAnswer);
    }
  }

  /** A GET of the endpoint's own URL. */
  public static HttpCall get() {
    return get("");
  }

  /** A GET of a path below the endpoint's. */
  public static HttpCall get(String path) {
    return of("GET", path, Optional.empty());
  }

  /** A POST, to a path below the endpoint's, of a form; empty until it gets fields. */
  public static HttpCall post(String path) {
    return of("POST", path, Optional.empty());
  }

  /** A POST of a JSON document to the endpoint's own URL. */
  public static HttpCall postJson(String document) {
    return of("POST", "", Optional.of(document));
  }

  private static HttpCall of(String method, String path, Optional<String> json) {
    return new HttpCall(
        method, path, List.of(), List.of(), json, List.of(), Optional.empty(), DEFAULT_LONGEST);
  }

  /** The same with this behind the question mark, too. */
  public HttpCall withQuery(String name, String value) {
    return new HttpCall(
        method, path, with(query, name, value), form, json, headers, timeout, longestAnswer);
  }

  /** The same with this field of the form, too. */
  public HttpCall withForm(String name, String value) {
    return new HttpCall(
        method, path, query, with(form, name, value), json, headers, timeout, longestAnswer);
  }

  /** The same with this header, too. */
  public HttpCall withHeader(String name, String value) {
    return new HttpCall(
        method, path, query, form, json, with(headers, name, value), timeout, longestAnswer);
  }

  /** The same, over at the latest after this positive time. */
  public HttpCall withTimeout(Duration limit) {
    return new HttpCall(
        method, path, query, form, json, headers, Optional.of(limit), longestAnswer);
  }

  /** The same; a longer answer is refused. */
  public HttpCall withLongestAnswer(int bytes) {
    return new HttpCall(method, path, query, form, json, headers, timeout, bytes);
  }

  private static List<Field> with(List<Field> fields, String name, String value) {
    List<Field> more = new ArrayList<>(fields);
    more.add(new Field(name, value));
    return more;
  }
}
