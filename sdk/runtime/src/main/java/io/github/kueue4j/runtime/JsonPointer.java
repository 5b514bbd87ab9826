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
package io.github.kueue4j.runtime;

import org.apiguardian.api.API;

/**
 * A place in a JSON document (RFC 6901), built step by step so that names are always escaped.
 *
 * @param text the pointer, for example {@code /metadata/labels/example.com~1team}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonPointer(String text) {

  /** The whole document. */
  public static final JsonPointer ROOT = new JsonPointer("");

  /** The pointer to these members, from the document downwards. */
  public static JsonPointer of(String... members) {
    JsonPointer pointer = ROOT;
    for (String member : members) {
      pointer = pointer.member(member);
    }
    return pointer;
  }

  /** The member {@code name} of the object here. */
  public JsonPointer member(String name) {
    return new JsonPointer(text + '/' + name.replace("~", "~0").replace("/", "~1"));
  }

  /** The element {@code index} (from 0) of the list here. */
  public JsonPointer element(int index) {
    return new JsonPointer(text + '/' + index);
  }

  /** The place behind the last element of the list here. */
  public JsonPointer end() {
    return new JsonPointer(text + "/-");
  }

  @Override
  public String toString() {
    return text;
  }
}
