// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.apiserver.schema.CompiledSchema;
import io.github.kueue4j.apiserver.schema.SchemaCompilation;
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
