// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.InvalidFieldException;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a text comes from: exactly one of the three.
 *
 * @param value the text itself; not for what must stay secret
 * @param secretKeyRef a key of a Secret in the controller's own namespace
 * @param file the path of a file in the controller's container, read with each request; only where
 *     the operator allows files
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TextSource(
    Optional<String> value, Optional<SecretKeyRef> secretKeyRef, Optional<String> file) {
  /**
   * @throws InvalidFieldException unless exactly one is there
   */
  public TextSource {
    int given =
        (value.isPresent() ? 1 : 0)
            + (secretKeyRef.isPresent() ? 1 : 0)
            + (file.isPresent() ? 1 : 0);
    if (given != 1) {
      throw new InvalidFieldException(
          "secretKeyRef",
          given == 0 ? null : "given together with another source",
          "write exactly one of value, secretKeyRef and file");
    }
  }

  /** This very text. */
  public static TextSource value(String text) {
    return new TextSource(Optional.of(text), Optional.empty(), Optional.empty());
  }

  /** A key of a Secret in the controller's own namespace. */
  public static TextSource secret(String name, String key) {
    return new TextSource(
        Optional.empty(), Optional.of(new SecretKeyRef(name, key)), Optional.empty());
  }

  /** A file in the controller's container. */
  public static TextSource file(String path) {
    return new TextSource(Optional.empty(), Optional.empty(), Optional.of(path));
  }
}
