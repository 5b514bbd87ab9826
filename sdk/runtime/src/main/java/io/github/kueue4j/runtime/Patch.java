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

import com.google.gson.JsonElement;
import org.apiguardian.api.API;

/**
 * A change of one object as the API server takes it in a PATCH request.
 *
 * <p>Patches are the only way to change an object here: a typed object that was read is never
 * written back, because a newer server has fields that this program doesn't know.
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
