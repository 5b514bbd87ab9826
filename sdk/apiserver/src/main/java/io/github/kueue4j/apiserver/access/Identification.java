// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.access;

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
   * Creates an empty register of users and tokens.
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
   * The user who sends a request with this Authorization header: the anonymous user without one;
   * empty if the token isn't known.
   */
  public Optional<User> of(String authorization) {
    if (authorization.isEmpty()) {
      return Optional.of(ANONYMOUS);
    }
    return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? ofToken(authorization.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  /** The user that this token belongs to; empty if the token isn't known. */
  public Optional<User> ofToken(String token) {
    return Optional.ofNullable(users.get(token));
  }
}
