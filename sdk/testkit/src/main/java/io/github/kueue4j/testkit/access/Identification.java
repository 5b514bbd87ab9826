/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.access;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/** Knows users by their bearer tokens. Thread-safe. */
@API(status = API.Status.INTERNAL)
public final class Identification {
  private static final User ANONYMOUS =
      new User("system:anonymous", Set.of("system:unauthenticated"));
  private static final String BEARER = "Bearer ";
  private static final int TOKEN_BYTES = 24;

  private final RandomGenerator random;
  private final Map<String, User> users = new ConcurrentHashMap<>();

  /**
   * Knows nobody yet.
   *
   * @param random where tokens come from; hard to guess
   */
  public Identification(RandomGenerator random) {
    this.random = random;
  }

  /** A new token, by which this user is known from now on. */
  public String tokenFor(User user) {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    String token = HexFormat.of().formatHex(bytes);
    users.put(token, user);
    return token;
  }

  /**
   * Who sends a request with this Authorization header: nobody in particular without one; empty if
   * the token isn't known.
   */
  public Optional<User> of(String authorization) {
    if (authorization.isEmpty()) {
      return Optional.of(ANONYMOUS);
    }
    return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? ofToken(authorization.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  /** Whose token this is; empty if it isn't known. */
  public Optional<User> ofToken(String token) {
    return Optional.ofNullable(users.get(token));
  }
}
