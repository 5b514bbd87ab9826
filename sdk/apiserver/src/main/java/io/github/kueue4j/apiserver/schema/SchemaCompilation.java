// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.schema;

import java.util.List;
import org.apiguardian.api.API;

/** The result of compiling the schema of a CustomResourceDefinition's version. */
@API(status = API.Status.EXPERIMENTAL)
public sealed interface SchemaCompilation {

  /** The schema is usable. */
  record Compiled(CompiledSchema schema) implements SchemaCompilation {}

  /** The CRD is to be refused with these causes; never empty. */
  record Refused(List<FieldError> errors) implements SchemaCompilation {
    public Refused {
      errors = List.copyOf(errors);
    }
  }
}
