// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import org.jspecify.annotations.Nullable;

/** Where a value stands in an object, written out only when an error needs it. */
final class FieldPath {

  static final FieldPath ROOT = new FieldPath(null, "", SegmentKind.ROOT);

  private enum SegmentKind {
    ROOT,
    FIELD,
    SUBSCRIPT
  }

  private final @Nullable FieldPath parent;
  private final String name;
  private final SegmentKind segmentKind;

  private FieldPath(@Nullable FieldPath parent, String name, SegmentKind segmentKind) {
    this.parent = parent;
    this.name = name;
    this.segmentKind = segmentKind;
  }

  /** A path that starts with words that are already written as a path. */
  static FieldPath of(String written) {
    return written.isEmpty() ? ROOT : ROOT.child(written);
  }

  FieldPath child(String field) {
    return new FieldPath(this, field, SegmentKind.FIELD);
  }

  FieldPath key(String key) {
    return new FieldPath(this, key, SegmentKind.SUBSCRIPT);
  }

  FieldPath index(int position) {
    return new FieldPath(this, Integer.toString(position), SegmentKind.SUBSCRIPT);
  }

  /** The API's form; the object itself is {@code <nil>}. */
  @Override
  public String toString() {
    if (segmentKind == SegmentKind.ROOT) {
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
    switch (segmentKind) {
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
