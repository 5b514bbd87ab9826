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
package io.github.kueue4j.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lists whose elements have a key, as the API's map lists do. */
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
