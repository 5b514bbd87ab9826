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
package io.github.kueue4j.testkit.patch;

import org.apiguardian.api.API;

/** A patch that can't be applied. The API answers 400 or 422, see {@link #kind()}. */
@API(status = API.Status.EXPERIMENTAL)
public final class PatchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Whose fault it is. */
  public enum Kind {
    /** The body is no patch at all: 400. */
    MALFORMED,
    /** A well-formed patch that doesn't fit the object, such as a missing path: 422. */
    NOT_APPLICABLE,
    /** A JSON patch's {@code test} that doesn't hold: 422. */
    TEST_FAILED
  }

  private final Kind kind;

  PatchException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  PatchException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
