// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The table columns of built-in kinds; those without an entry here show name and age. */
final class BuiltInColumns {
  static final Column NAME =
      new Column(
          "Name",
          "string",
          "name",
          "Name must be unique within a namespace.",
          0,
          (object, now) -> JsonNodeFactory.instance.textNode(Trees.name(object)));
  static final Column AGE =
      text(
          "Age",
          0,
          (object, now) -> Age.since(Trees.text(Trees.metadata(object), "creationTimestamp"), now));

  private BuiltInColumns() {}

  static List<Column> of(ServedResource resource) {
    return switch (resource.storageName()) {
      case "pods" ->
          List.of(
              NAME,
              text("Ready", 0, object -> readyContainers(object)),
              text("Status", 0, object -> podStatus(object)),
              integer("Restarts", 0, object -> restarts(object)),
              AGE,
              text("IP", 1, object -> orNone(object, "status.podIP")),
              text("Node", 1, object -> orNone(object, "spec.nodeName")));
      case "batch/jobs" ->
          List.of(
              NAME,
              text("Status", 0, object -> jobStatus(object)),
              text("Completions", 0, object -> completions(object)),
              text("Duration", 0, BuiltInColumns::jobDuration),
              AGE);
      case "nodes" ->
          List.of(
              NAME,
              text("Status", 0, object -> nodeStatus(object)),
              text("Roles", 0, object -> roles(object)),
              AGE,
              text("Version", 0, object -> value(object, "status.nodeInfo.kubeletVersion")));
      case "namespaces" ->
          List.of(NAME, text("Status", 0, object -> value(object, "status.phase")), AGE);
      case "events" -> events();
      case "apps/deployments" ->
          List.of(
              NAME,
              text(
                  "Ready",
                  0,
                  object ->
                      number(object, "status.readyReplicas")
                          + "/"
                          + number(object, "spec.replicas")),
              integer("Up-to-date", 0, object -> number(object, "status.updatedReplicas")),
              integer("Available", 0, object -> number(object, "status.availableReplicas")),
              AGE);
      case "configmaps" -> List.of(NAME, integer("Data", 0, object -> size(object, "data")), AGE);
      case "secrets" ->
          List.of(
              NAME,
              text("Type", 0, object -> value(object, "type")),
              integer("Data", 0, object -> size(object, "data")),
              AGE);
      case "services" ->
          List.of(
              NAME,
              text("Type", 0, object -> value(object, "spec.type")),
              text("Cluster-IP", 0, object -> orNone(object, "spec.clusterIP")),
              AGE);
      case "coordination.k8s.io/leases" ->
          List.of(NAME, text("Holder", 0, object -> value(object, "spec.holderIdentity")), AGE);
      case "node.k8s.io/runtimeclasses" ->
          List.of(NAME, text("Handler", 0, object -> value(object, "handler")), AGE);
      case "scheduling.k8s.io/priorityclasses" ->
          List.of(
              NAME,
              integer("Value", 0, object -> number(object, "value")),
              text("Global-Default", 0, object -> Boolean.toString(flag(object, "globalDefault"))),
              AGE);
      case "apiextensions.k8s.io/customresourcedefinitions" ->
          List.of(
              NAME,
              text(
                  "Created At",
                  0,
                  object -> Trees.text(Trees.metadata(object), "creationTimestamp")));
      default -> List.of(NAME, AGE);
    };
  }

  private static List<Column> events() {
    List<Column> columns = new ArrayList<>();
    columns.add(text("Last Seen", 0, BuiltInColumns::lastSeen));
    columns.add(text("Type", 0, object -> value(object, "type")));
    columns.add(text("Reason", 0, object -> value(object, "reason")));
    columns.add(
        text(
            "Object",
            0,
            object -> {
              ObjectNode about =
                  Trees.object(object, object.has("regarding") ? "regarding" : "involvedObject");
              return Trees.text(about, "kind").toLowerCase(Locale.ROOT)
                  + "/"
                  + Trees.text(about, "name");
            }));
    columns.add(
        text(
            "Message",
            0,
            object -> value(object, object.has("note") ? "note" : "message").strip()));
    columns.add(new Column("Name", "string", "name", "", 1, NAME.cell()));
    return columns;
  }

  private static String lastSeen(ObjectNode event, Instant now) {
    for (String path :
        List.of(
            "series.lastObservedTime",
            "lastTimestamp",
            "deprecatedLastTimestamp",
            "eventTime",
            "metadata.creationTimestamp")) {
      String time = value(event, path);
      if (!time.isEmpty()) {
        return Age.since(time, now);
      }
    }
    return "<unknown>";
  }

  private static String readyContainers(ObjectNode pod) {
    int ready = 0;
    for (JsonNode status : Trees.object(pod, "status").path("containerStatuses")) {
      ready += status.path("ready").asBoolean() ? 1 : 0;
    }
    return ready + "/" + Trees.object(pod, "spec").path("containers").size();
  }

  private static long restarts(ObjectNode pod) {
    long restarts = 0;
    for (JsonNode status : Trees.object(pod, "status").path("containerStatuses")) {
      restarts += status.path("restartCount").asLong();
    }
    return restarts;
  }

  private static String podStatus(ObjectNode pod) {
    if (Trees.deleting(pod)) {
      return "Terminating";
    }
    String reason = value(pod, "status.reason");
    String phase = reason.isEmpty() ? value(pod, "status.phase") : reason;
    if (phase.equals("Pending") && Trees.object(pod, "spec").path("schedulingGates").size() > 0) {
      return "SchedulingGated";
    }
    return phase.equals("Succeeded") ? "Completed" : phase;
  }

  private static String jobStatus(ObjectNode job) {
    if (condition(job, "Complete")) {
      return "Complete";
    }
    if (condition(job, "Failed")) {
      return "Failed";
    }
    if (Trees.deleting(job)) {
      return "Terminating";
    }
    return condition(job, "Suspended") || flag(Trees.object(job, "spec"), "suspend")
        ? "Suspended"
        : "Running";
  }

  private static String completions(ObjectNode job) {
    JsonNode wanted = Trees.at(job, "spec.completions");
    long succeeded = number(job, "status.succeeded");
    if (wanted != null) {
      return succeeded + "/" + wanted.asLong();
    }
    long parallelism = number(job, "spec.parallelism");
    return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
  }

  private static String jobDuration(ObjectNode job, Instant now) {
    String start = value(job, "status.startTime");
    if (start.isEmpty()) {
      return "";
    }
    String end = value(job, "status.completionTime");
    try {
      return Age.of(
          Duration.between(Instant.parse(start), end.isEmpty() ? now : Instant.parse(end)));
    } catch (DateTimeException e) {
      return "<invalid>";
    }
  }

  private static String nodeStatus(ObjectNode node) {
    String ready = condition(node, "Ready") ? "Ready" : "NotReady";
    return flag(Trees.object(node, "spec"), "unschedulable")
        ? ready + ",SchedulingDisabled"
        : ready;
  }

  private static String roles(ObjectNode node) {
    List<String> roles = new ArrayList<>();
    Trees.labels(node)
        .keySet()
        .forEach(
            label -> {
              if (label.startsWith("node-role.kubernetes.io/")) {
                roles.add(label.substring("node-role.kubernetes.io/".length()));
              }
            });
    return roles.isEmpty() ? "<none>" : String.join(",", roles);
  }

  private static boolean condition(ObjectNode object, String type) {
    for (JsonNode condition : Trees.object(object, "status").path("conditions")) {
      if (Trees.text(condition, "type").equals(type)) {
        return Trees.text(condition, "status").equals("True");
      }
    }
    return false;
  }

  private static String value(ObjectNode object, String path) {
    JsonNode value = Trees.at(object, path);
    return value == null || value.isNull() ? "" : value.asText();
  }

  private static String orNone(ObjectNode object, String path) {
    String value = value(object, path);
    return value.isEmpty() ? "<none>" : value;
  }

  private static long number(ObjectNode object, String path) {
    JsonNode value = Trees.at(object, path);
    return value == null ? 0 : value.asLong();
  }

  private static boolean flag(ObjectNode object, String field) {
    return object.path(field).asBoolean();
  }

  private static long size(ObjectNode object, String field) {
    return object.path(field).size();
  }

  private static Column text(String name, int priority, Function<ObjectNode, String> cell) {
    return text(name, priority, (object, now) -> cell.apply(object));
  }

  private static Column text(
      String name, int priority, BiFunction<ObjectNode, Instant, String> cell) {
    return new Column(
        name,
        "string",
        "",
        "",
        priority,
        (object, now) -> JsonNodeFactory.instance.textNode(cell.apply(object, now)));
  }

  private static Column integer(String name, int priority, Function<ObjectNode, Long> cell) {
    return new Column(
        name,
        "integer",
        "",
        "",
        priority,
        (object, now) -> JsonNodeFactory.instance.numberNode(cell.apply(object)));
  }
}
