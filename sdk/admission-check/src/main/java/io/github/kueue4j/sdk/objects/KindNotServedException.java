// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import java.io.Serial;
import org.apiguardian.api.API;

/**
 * Thrown when a check controller starts and the API server doesn't serve a kind that the check
 * reads, because its CustomResourceDefinition isn't installed. A kind that is watched {@link
 * Watch#whenServed} may come later.
 *
 * @see io.github.kueue4j.sdk.program.CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KindNotServedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Thrown by the controller alone. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public KindNotServedException(String message) {
    super(message);
  }
}
