// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A request that comes by no network.
 *
 * @param method such as {@code GET}
 * @param path of the URL, encoded
 * @param query of the URL, encoded; null without one
 * @param headers in any case
 * @param body empty without one
 * @param answer takes the answer
 */
@API(status = API.Status.EXPERIMENTAL)
public record DirectRequest(
    String method,
    String path,
    @Nullable String query,
    Map<String, List<String>> headers,
    InputStream body,
    Answer answer) {

  public DirectRequest {
    Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sorted.putAll(headers);
    headers = sorted;
  }

  /** Takes an answer, piece by piece. */
  public interface Answer {
    /** The answer begins. */
    void begin(int status, Map<String, List<String>> headers);

    /**
     * A piece of its body arrives.
     *
     * @throws IOException if the client is gone
     */
    void piece(byte[] bytes) throws IOException;

    /**
     * It is complete.
     *
     * @param broken why it isn't, or null
     */
    void end(@Nullable Throwable broken);
  }
}
