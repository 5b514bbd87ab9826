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

import java.util.HashSet;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Who sends a request.
 *
 * @param name such as {@code admin} or {@code system:serviceaccount:NAMESPACE:NAME}
 * @param groups such as {@code system:masters}
 */
@API(status = API.Status.EXPERIMENTAL)
public record User(String name, Set<String> groups) {
  private static final String AUTHENTICATED = "system:authenticated";

  /** Everyone on the plain port. */
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
