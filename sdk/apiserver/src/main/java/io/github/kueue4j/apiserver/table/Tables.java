// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.PrinterColumn;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Makes {@code meta.k8s.io/v1 Table} objects. */
@API(status = API.Status.INTERNAL)
public final class Tables {
  private Tables() {}

  /**
   * The objects as a table.
   *
   * @param objects in the version that the resource serves
   * @param includeObject {@code None}, {@code Object} or {@code Metadata} (also if empty)
   * @param revision for the table's resourceVersion
   */
  public static ObjectNode table(
      ServedResource resource,
      List<ObjectNode> objects,
      String includeObject,
      Instant now,
      long revision) {
    List<Column> columns = columns(resource);
    ObjectNode table = Trees.empty();
    table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
    table.putObject("metadata").put("resourceVersion", Long.toString(revision));
    ArrayNode definitions = table.putArray("columnDefinitions");
    for (Column column : columns) {
      definitions
          .addObject()
          .put("name", column.name())
          .put("type", column.type())
          .put("format", column.format())
          .put("description", column.description())
          .put("priority", column.priority());
    }
    ArrayNode rows = table.putArray("rows");
    for (ObjectNode object : objects) {
      ObjectNode row = rows.addObject();
      ArrayNode cells = row.putArray("cells");
      columns.forEach(column -> cells.add(column.cell().of(object, now)));
      switch (includeObject) {
        case "None" -> {}
        case "Object" -> row.set("object", object);
        default -> {
          ObjectNode partial = row.putObject("object");
          partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
          partial.set("metadata", Trees.metadata(object));
        }
      }
    }
    return table;
  }

  private static List<Column> columns(ServedResource resource) {
    if (!resource.custom()) {
      return BuiltInColumns.of(resource);
    }
    List<Column> columns = new ArrayList<>();
    columns.add(BuiltInColumns.NAME);
    if (resource.columns().isEmpty()) {
      columns.add(BuiltInColumns.AGE);
    }
    for (PrinterColumn column : resource.columns()) {
      columns.add(
          new Column(
              column.name(),
              column.type(),
              column.format(),
              column.description(),
              column.priority(),
              (object, now) -> custom(object, column, now)));
    }
    return columns;
  }

  private static JsonNode custom(ObjectNode object, PrinterColumn column, Instant now) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    List<JsonNode> found = JsonPath.find(object, column.jsonPath());
    if (found.isEmpty()) {
      return nodes.nullNode();
    }
    JsonNode first = found.get(0);
    return switch (column.type()) {
      case "date" -> nodes.textNode(Age.since(first.asText(), now));
      case "integer" -> first.isNumber() ? nodes.numberNode(first.asLong()) : nodes.nullNode();
      case "number" -> first.isNumber() ? first : nodes.nullNode();
      case "boolean" -> first.isBoolean() ? first : nodes.nullNode();
      default -> nodes.textNode(first.isValueNode() ? first.asText() : first.toString());
    };
  }
}
