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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import java.util.ArrayList;
import java.util.List;

/** The project's own CRDs, compiled. */
final class KueueCrds {

  private KueueCrds() {}

  static List<ObjectNode> all() {
    List<ObjectNode> crds = new ArrayList<>();
    Crds.kueue().forEach(yaml -> crds.add(Yaml.object(yaml)));
    Crds.external().forEach(yaml -> crds.add(Yaml.object(yaml)));
    return crds;
  }

  static ObjectNode schemaOf(String kind, String version) {
    for (ObjectNode crd : all()) {
      if (crd.at("/spec/names/kind").asText().equals(kind)) {
        for (JsonNode served : crd.at("/spec/versions")) {
          if (served.path("name").asText().equals(version)) {
            return (ObjectNode) served.at("/schema/openAPIV3Schema");
          }
        }
      }
    }
    throw new IllegalArgumentException("no CRD of " + kind + " " + version);
  }

  static CompiledSchema compiled(String kind) {
    String version = kind.equals("ProvisioningRequest") ? "v1" : "v1beta2";
    return switch (CompiledSchema.compile(schemaOf(kind, version), "schema")) {
      case SchemaCompilation.Compiled compiled -> compiled.schema();
      case SchemaCompilation.Refused refused -> throw new AssertionError(refused.errors());
    };
  }
}
