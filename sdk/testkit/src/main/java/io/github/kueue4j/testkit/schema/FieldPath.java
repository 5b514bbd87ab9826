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
package io.github.kueue4j.testkit.schema;

import org.jspecify.annotations.Nullable;

/** Where a value stands in an object, written out only when an error needs it. */
final class FieldPath {

  static final FieldPath ROOT = new FieldPath(null, "", Kind.ROOT);

  private enum Kind {
    ROOT,
    FIELD,
    SUBSCRIPT
  }

  private final @Nullable FieldPath parent;
  private final String name;
  private final Kind kind;

  private FieldPath(@Nullable FieldPath parent, String name, Kind kind) {
    this.parent = parent;
    this.name = name;
    this.kind = kind;
  }

  /** A path that starts with words that are already written as a path. */
  static FieldPath of(String written) {
    return written.isEmpty() ? ROOT : ROOT.child(written);
  }

  FieldPath child(String field) {
    return new FieldPath(this, field, Kind.FIELD);
  }

  FieldPath key(String key) {
    return new FieldPath(this, key, Kind.SUBSCRIPT);
  }

  FieldPath index(int position) {
    return new FieldPath(this, Integer.toString(position), Kind.SUBSCRIPT);
  }

  /** The API's form; the object itself is {@code <nil>}. */
  @Override
  public String toString() {
    if (kind == Kind.ROOT) {
      return "<nil>";
    }
    StringBuilder text = new StringBuilder();
    write(text);
    return text.toString();
  }

  private void write(StringBuilder text) {
    if (parent != null) {
      parent.write(text);
    }
    switch (kind) {
      case ROOT -> {}
      case FIELD -> {
        if (!text.isEmpty()) {
          text.append('.');
        }
        text.append(name);
      }
      case SUBSCRIPT -> text.append('[').append(name).append(']');
    }
  }
}
