// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import org.apiguardian.api.API;

/**
 * Thrown by {@link io.github.kueue4j.sdk.objects.ResourceClient#get} when the controller's account
 * has no right to read the object. Left to the controller it counts as a failed evaluation, which
 * is repeated.
 *
 * <p>An example is at {@link io.github.kueue4j.sdk.objects.ResourceClient}.
 *
 * @see io.github.kueue4j.sdk.objects.ResourceClient
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ForbiddenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The account may not read the object.
   *
   * @param message for people: which object
   */
  public ForbiddenException(String message, Throwable cause) {
    super(message, cause);
  }
}
