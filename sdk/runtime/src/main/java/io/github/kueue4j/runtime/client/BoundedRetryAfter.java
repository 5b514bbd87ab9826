// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.io.IOException;
import java.time.Duration;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the Retry-After of answers, before anything reads it: OkHttp itself does, and fails on a
 * number that isn't an int.
 *
 * <p>An API server asks for seconds. A proxy's page may ask for days, and a watch, or whatever else
 * it was sent for, would be silent long after the server is back. One request a minute is no burden
 * to any server.
 */
final class BoundedRetryAfter implements Interceptor {
  private static final String HEADER = "Retry-After";
  private static final Duration LONGEST = Duration.ofMinutes(1);

  @Override
  public Response intercept(Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    @Nullable String asked = response.header(HEADER);
    return asked == null || !tooLong(asked)
        ? response
        : response.newBuilder().header(HEADER, String.valueOf(LONGEST.toSeconds())).build();
  }

  private static boolean tooLong(String asked) {
    return asked.matches("\\d+")
        && (asked.length() > 6 || Long.parseLong(asked) > LONGEST.toSeconds());
  }
}
