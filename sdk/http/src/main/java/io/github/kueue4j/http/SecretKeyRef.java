// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.InvalidFieldException;
import org.apiguardian.api.API;

/**
 * Names a key of a Secret in the controller's own namespace.
 *
 * @param name of the Secret
 * @param key in its data
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SecretKeyRef(String name, String key) {
  /**
   * @throws InvalidFieldException if a part is empty
   */
  public SecretKeyRef {
    if (name.isBlank()) {
      throw new InvalidFieldException("name", name, "name a Secret");
    }
    if (key.isBlank()) {
      throw new InvalidFieldException("key", key, "name a key of the Secret");
    }
  }
}
