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
package io.github.kueue4j.testkit.client;

import org.apiguardian.api.API;

/** The patch formats that API servers take for every kind. */
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
