// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.status.ApiErrors;
import java.util.Locale;

/** In which form a client wants the OpenAPI v2 document, by its Accept header. */
enum SchemaForm {
  JSON("application/json"),
  PROTOBUF("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");

  /** How clients in Go ask for it; no valid media type, which is why it is not answered so. */
  private static final String ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  private final String contentType;

  SchemaForm(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }

  /** The first acceptable form that the server has. */
  static SchemaForm of(String accept) {
    if (accept.isBlank()) {
      return JSON;
    }
    for (String range : accept.split(",", -1)) {
      String type = range.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
      switch (type) {
        case "application/json", "application/*", "*/*" -> {
          return JSON;
        }
        case "application/com.github.proto-openapi.spec.v2.v1.0+protobuf", ASKED -> {
          return PROTOBUF;
        }
        default -> {
          continue;
        }
      }
    }
    throw ApiErrors.notAcceptable(JSON.contentType + ", " + PROTOBUF.contentType);
  }
}
