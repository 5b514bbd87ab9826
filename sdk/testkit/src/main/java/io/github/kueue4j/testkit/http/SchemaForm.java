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
package io.github.kueue4j.testkit.http;

import io.github.kueue4j.testkit.status.ApiErrors;
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
