// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.patch;

import com.google.gson.JsonElement;
import org.apiguardian.api.API;

/**
 * The body of a PATCH request for one object.
 *
 * <p>Objects are changed by patches only: a typed object that was read is never written back,
 * because a newer server may have fields that this program doesn't know.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Patch permits JsonPatch, MergePatch {

  /** The media type of the request, for example {@code application/json-patch+json}. */
  String contentType();

  /** The request's body. */
  JsonElement body();

  /** Whether this patch changes nothing; such a patch is never sent. */
  boolean isEmpty();
}
