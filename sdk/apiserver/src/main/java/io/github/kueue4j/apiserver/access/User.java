// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.access;

import java.util.HashSet;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The user who sends a request.
 *
 * @param name such as {@code admin} or {@code system:serviceaccount:NAMESPACE:NAME}
 * @param groups such as {@code system:masters}
 */
@API(status = API.Status.EXPERIMENTAL)
public record User(String name, Set<String> groups) {
  private static final String AUTHENTICATED = "system:authenticated";

  /** The user of every request on the plain port. */
  public static final User ADMINISTRATOR = named("system:admin", "system:masters");

  /** The server itself. */
  public static final User SERVER = named("system:apiserver", "system:masters");

  public User {
    groups = Set.copyOf(groups);
  }

  /** A user with these groups besides the one that every known user is in. */
  public static User named(String name, String... groups) {
    Set<String> all = new HashSet<>(Set.of(groups));
    all.add(AUTHENTICATED);
    return new User(name, all);
  }

  /** The user that pods of a service account are. */
  public static User serviceAccount(String namespace, String name) {
    return named(
        "system:serviceaccount:" + namespace + ":" + name,
        "system:serviceaccounts",
        "system:serviceaccounts:" + namespace);
  }
}
