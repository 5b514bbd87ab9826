// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Operations on lists whose elements have a key, like the API's map lists. */
final class Keyed {

  private Keyed() {}

  /** A copy in which {@code element} takes the place of the one with its key, or comes last. */
  static <T> List<T> replaceOrAppend(List<T> list, Function<T, String> key, T element) {
    List<T> copy = new ArrayList<>(list);
    String wanted = key.apply(element);
    for (int i = 0; i < copy.size(); i++) {
      if (key.apply(copy.get(i)).equals(wanted)) {
        copy.set(i, element);
        return List.copyOf(copy);
      }
    }
    copy.add(element);
    return List.copyOf(copy);
  }
}
