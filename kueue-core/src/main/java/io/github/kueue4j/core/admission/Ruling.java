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
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import java.util.List;
import org.apiguardian.api.API;

/** What is answered to the API server. */
@API(status = API.Status.INTERNAL)
public sealed interface Ruling {
  /**
   * The write may go on.
   *
   * @param patch what is to be changed first: a JSON patch (RFC 6902), empty for nothing
   */
  record Allowed(JsonArray patch) implements Ruling {}

  /**
   * The write is refused.
   *
   * @param violations why; at least one
   */
  record Refused(List<Violation> violations) implements Ruling {
    public Refused {
      violations = List.copyOf(violations);
    }
  }

  /** The write may go on as it is. */
  static Ruling allowed() {
    return new Allowed(new JsonArray());
  }

  /** Refused for these reasons, or allowed if there are none. */
  static Ruling of(List<Violation> violations) {
    return violations.isEmpty() ? allowed() : new Refused(violations);
  }
}
