// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

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
