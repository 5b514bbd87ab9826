// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import org.apiguardian.api.API;

/**
 * A JSON pointer (RFC 6901), built step by step so that names are always escaped.
 *
 * @param text the pointer, for example {@code /metadata/labels/example.com~1team}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonPointer(String text) {

  /** The whole document. */
  public static final JsonPointer ROOT = new JsonPointer("");

  /** The pointer to a member of a member and so on, from the root of the document. */
  public static JsonPointer of(String... members) {
    JsonPointer pointer = ROOT;
    for (String member : members) {
      pointer = pointer.member(member);
    }
    return pointer;
  }

  /** The pointer to the member {@code name} of the object that this one points to. */
  public JsonPointer member(String name) {
    return new JsonPointer(text + '/' + name.replace("~", "~0").replace("/", "~1"));
  }

  /** The pointer to the element {@code index} (from 0) of the list that this one points to. */
  public JsonPointer element(int index) {
    return new JsonPointer(text + '/' + index);
  }

  /** The pointer behind the last element of the list that this one points to. */
  public JsonPointer end() {
    return new JsonPointer(text + "/-");
  }

  @Override
  public String toString() {
    return text;
  }
}
