// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * Thrown for a name or namespace that can't be a segment of a request's path, such as {@code
 * ../secrets}. No object has such a name, so that nothing is lost by refusing it; sent, the request
 * would go to another path.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PathSegmentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private PathSegmentException(String message) {
    super(message);
  }

  /**
   * Returns a segment if it may be part of a path, by the rules of the official clients.
   *
   * @param what names the segment in the message, such as {@code an object's name}
   * @throws PathSegmentException if the segment is empty, {@code .} or {@code ..}, or contains
   *     {@code /} or {@code %}
   */
  public static String check(String what, String segment) {
    if (segment.isEmpty()) {
      throw new PathSegmentException(what + " is empty");
    }
    if (segment.equals(".")
        || segment.equals("..")
        || segment.indexOf('/') >= 0
        || segment.indexOf('%') >= 0) {
      throw new PathSegmentException(
          what
              + " can't be '"
              + segment
              + "': '.', '..' and texts with '/' or '%' would change the request's path");
    }
    return segment;
  }
}
