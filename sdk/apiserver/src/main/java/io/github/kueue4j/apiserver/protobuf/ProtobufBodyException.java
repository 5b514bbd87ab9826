// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import org.apiguardian.api.API;

/** A protobuf body that can't be read; the API answers 400. */
@API(status = API.Status.EXPERIMENTAL)
public final class ProtobufBodyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ProtobufBodyException(String message) {
    super(message);
  }

  ProtobufBodyException(String message, Throwable cause) {
    super(message, cause);
  }
}
