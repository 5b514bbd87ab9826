// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import org.apiguardian.api.API;

/**
 * The patch formats that API servers take for every kind.
 *
 * @see JsonApi
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum PatchFormat {
  /** RFC 7386; an object. */
  MERGE("application/merge-patch+json"),
  /** RFC 6902; an array of operations. */
  JSON("application/json-patch+json");

  private final String mediaType;

  PatchFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  String mediaType() {
    return mediaType;
  }
}
