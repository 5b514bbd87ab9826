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
package io.github.kueue4j.runtime;

import com.google.gson.JsonObject;
import org.apiguardian.api.API;

/**
 * A JSON merge patch (RFC 7386): members that are present replace, {@code null} removes, lists are
 * replaced as a whole.
 *
 * @param document the patch document; copied on the way in and out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MergePatch(JsonObject document) implements Patch {

  static final String CONTENT_TYPE = "application/merge-patch+json";

  public MergePatch {
    document = document.deepCopy();
  }

  @Override
  public JsonObject document() {
    return document.deepCopy();
  }

  @Override
  public String contentType() {
    return CONTENT_TYPE;
  }

  @Override
  public JsonObject body() {
    return document();
  }

  @Override
  public boolean isEmpty() {
    return document.isEmpty();
  }
}
