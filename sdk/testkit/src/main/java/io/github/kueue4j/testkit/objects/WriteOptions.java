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
package io.github.kueue4j.testkit.objects;

import io.github.kueue4j.testkit.access.User;
import org.apiguardian.api.API;

/**
 * How a write is to be carried out, and for whom.
 *
 * @param dryRun decide everything, store nothing
 * @param fieldValidation what becomes of unknown fields
 * @param fieldManager who owns the fields that the write changes; empty for nobody
 * @param user who sends it
 */
@API(status = API.Status.INTERNAL)
public record WriteOptions(
    boolean dryRun, FieldValidation fieldValidation, String fieldManager, User user) {

  /** For the server's own writes. */
  public static final WriteOptions INTERNAL =
      new WriteOptions(false, FieldValidation.IGNORE, "", User.SERVER);

  /** What becomes of fields that the kind doesn't know; they are always dropped if not refused. */
  public enum FieldValidation {
    IGNORE,
    WARN,
    STRICT
  }
}
