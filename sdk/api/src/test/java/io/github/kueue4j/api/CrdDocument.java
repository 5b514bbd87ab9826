// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** A CRD of this module, parsed. */
record CrdDocument(ResourceType<? extends ApiObject> type, JsonObject json) {

  static Stream<CrdDocument> all() {
    List<ResourceType<? extends ApiObject>> types = new ArrayList<>(KueueTypes.ALL);
    types.add(KueueTypes.PROVISIONING_REQUEST);
    return types.stream()
        .map(type -> new CrdDocument(type, parse(Crds.of(type)).getAsJsonObject()));
  }

  static JsonElement parse(String yaml) {
    return new Gson().toJsonTree(new Yaml().<Object>load(yaml));
  }

  JsonObject spec() {
    return json.getAsJsonObject("spec");
  }

  /** The version that the type names, which is the one that is stored. */
  JsonObject version() {
    for (JsonElement each : spec().getAsJsonArray("versions")) {
      JsonObject version = each.getAsJsonObject();
      if (version.get("name").getAsString().equals(type.version())) {
        return version;
      }
    }
    throw new IllegalStateException(type + " is not in its own definition");
  }

  JsonObject schema() {
    return version().getAsJsonObject("schema").getAsJsonObject("openAPIV3Schema");
  }

  @Override
  public String toString() {
    return type.toString();
  }
}
