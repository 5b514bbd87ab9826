// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.status.ApiErrors;
import java.util.Locale;

/** In which form a client wants objects, by its Accept header. */
enum MediaType {
  /** As they are. */
  OBJECT("application/json"),
  /** As rows of a {@code meta.k8s.io/v1 Table}. */
  TABLE("application/json"),
  /** Metadata only. */
  METADATA("application/json"),
  /** Aggregated discovery, on {@code /api} and {@code /apis} only. */
  AGGREGATED("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");

  private final String contentType;

  MediaType(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }

  /**
   * The first acceptable form that the server has.
   *
   * @param discovery whether the request is for {@code /api} or {@code /apis}
   */
  static MediaType of(String accept, boolean discovery) {
    if (accept.isBlank()) {
      return OBJECT;
    }
    for (String range : accept.split(",", -1)) {
      String[] parts = range.split(";", -1);
      String type = parts[0].strip().toLowerCase(Locale.ROOT);
      String as = "";
      String version = "";
      for (int i = 1; i < parts.length; i++) {
        String parameter = parts[i].strip();
        if (parameter.startsWith("as=")) {
          as = parameter.substring(3);
        } else if (parameter.startsWith("v=")) {
          version = parameter.substring(2);
        }
      }
      boolean json =
          type.equals("application/json") || type.equals("application/*") || type.equals("*/*");
      if (!json) {
        continue;
      }
      if (as.isEmpty()) {
        return OBJECT;
      }
      if (discovery) {
        if (as.equals("APIGroupDiscoveryList") && version.equals("v2")) {
          return AGGREGATED;
        }
      } else if (as.equals("Table") && version.equals("v1")) {
        return TABLE;
      } else if (as.startsWith("PartialObjectMetadata") && version.equals("v1")) {
        return METADATA;
      }
    }
    throw ApiErrors.notAcceptable("application/json");
  }
}
