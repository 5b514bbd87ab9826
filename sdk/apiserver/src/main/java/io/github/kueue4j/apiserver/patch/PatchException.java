// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.patch;

import org.apiguardian.api.API;

/** A patch that can't be applied. The API answers 400 or 422, see {@link #kind()}. */
@API(status = API.Status.EXPERIMENTAL)
public final class PatchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The cause: a malformed patch, or an object that the patch doesn't fit. */
  public enum Problem {
    /** The body is no patch at all: 400. */
    MALFORMED,
    /** A well-formed patch that doesn't fit the object, such as a missing path: 422. */
    NOT_APPLICABLE,
    /** A JSON patch's {@code test} that doesn't hold: 422. */
    TEST_FAILED
  }

  private final Problem problem;

  PatchException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  PatchException(Problem problem, String message, Throwable cause) {
    super(message, cause);
    this.problem = problem;
  }

  public Problem kind() {
    return problem;
  }
}
