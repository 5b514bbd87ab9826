// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.cli.objects.StoredObject;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Objects as {@code kubectl get} prints several: a List, with all fields as the server sent them
 * but the managed ones.
 *
 * @param items of one kind or several
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record ObjectList(List<StoredObject> items) {
  public ObjectList {
    items = List.copyOf(items);
  }

  /** Indented JSON. */
  public String json() {
    return new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .create()
            .toJson(tree())
        + System.lineSeparator();
  }

  /** YAML in block style. */
  public String yaml() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(1000);
    return new Yaml(options).dump(KueueJson.fromTree(tree(), Map.class));
  }

  private JsonObject tree() {
    JsonObject list = new JsonObject();
    list.addProperty("apiVersion", "v1");
    list.addProperty("kind", "List");
    JsonArray array = new JsonArray();
    items.forEach(item -> array.add(KueueJson.toTree(item)));
    list.add("items", array);
    return list;
  }
}
