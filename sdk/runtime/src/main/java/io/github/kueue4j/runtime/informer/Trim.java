// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Reduces objects to the parts that a cache keeps.
 *
 * @param <T> the objects' type
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Trim<T> {
  /**
   * The reduced form of an object.
   *
   * @param read may be modified; the caller doesn't use it afterwards
   * @param known the cached object of the same name, if any; unchanged parts may be taken from it,
   *     but it can be older, newer, or another object with that name
   */
  T apply(T read, Optional<T> known);
}
