// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.objects.StoredObject;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Finds the fields of stored objects that the two implementations don't share, by the schema of
 * this core's own definitions: their descriptions say which fields are extensions or out of scope.
 */
final class FieldUses {
  private static final String EXTENSION = "kueue4j extension:";
  private static final String OUT_OF_SCOPE = "kueue4j out of scope:";

  private final JsonObject schema;

  private FieldUses(JsonObject schema) {
    this.schema = schema;
  }

  /** For objects of this kind, in the version that is read and written. */
  static FieldUses of(ResourceType<? extends ApiObject> type) {
    Object yaml = new Yaml(new SafeConstructor(new LoaderOptions())).load(Crds.of(type));
    for (JsonElement version :
        KueueJson.toTree(yaml)
            .getAsJsonObject()
            .getAsJsonObject("spec")
            .getAsJsonArray("versions")) {
      JsonObject served = version.getAsJsonObject();
      if (served.get("name").getAsString().equals(KueueTypes.VERSION)) {
        return new FieldUses(served.getAsJsonObject("schema").getAsJsonObject("openAPIV3Schema"));
      }
    }
    throw new IllegalArgumentException("the definition of " + type + " lacks its own version");
  }

  /** The fields that this object uses, each once. */
  Set<FieldUse> in(StoredObject object) {
    Set<FieldUse> uses = new LinkedHashSet<>();
    part("spec", object.spec(), uses);
    part("status", object.status(), uses);
    return uses;
  }

  private void part(String name, JsonElement value, Set<FieldUse> uses) {
    JsonObject known = schema.getAsJsonObject("properties").getAsJsonObject(name);
    if (known != null) { // A WorkloadPriorityClass has neither part.
      collect(name, value, known, uses);
    }
  }

  private static void collect(
      String path, JsonElement value, JsonObject schema, Set<FieldUse> uses) {
    if (schema.has("description") && !value.isJsonNull()) {
      String description = schema.get("description").getAsString();
      if (description.startsWith(EXTENSION)) {
        uses.add(new FieldUse(path, FieldUse.Meaning.EXTENSION));
        return;
      }
      if (description.startsWith(OUT_OF_SCOPE)) {
        uses.add(new FieldUse(path, FieldUse.Meaning.OUT_OF_SCOPE));
        return;
      }
    }
    if (value instanceof JsonArray items && schema.has("items")) {
      items.forEach(item -> collect(path + "[]", item, schema.getAsJsonObject("items"), uses));
    } else if (value instanceof JsonObject fields && schema.has("properties")) {
      collectFields(path, fields, schema, uses);
    }
  }

  private static void collectFields(
      String path, JsonObject fields, JsonObject schema, Set<FieldUse> uses) {
    JsonObject known = schema.getAsJsonObject("properties");
    boolean open = schema.has("x-kubernetes-preserve-unknown-fields");
    for (Map.Entry<String, JsonElement> field : fields.entrySet()) {
      String child = path + '.' + field.getKey();
      if (known.has(field.getKey())) {
        collect(child, field.getValue(), known.getAsJsonObject(field.getKey()), uses);
      } else if (!open) {
        uses.add(new FieldUse(child, FieldUse.Meaning.UNKNOWN));
      }
    }
  }
}
