// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The form of a script's Workload: one pod of one cpu in the script's namespace, unless it is said
 * otherwise.
 *
 * <pre>{@code
 * cluster.workload("big", shape -> shape.namespace("sre").count(3).request("cpu", "11").priority(5));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class WorkloadShape {
  private final Map<String, String> labels = new TreeMap<>();
  private final Map<String, String> annotations = new TreeMap<>();
  private final Map<String, String> requests = new TreeMap<>(Map.of("cpu", "1"));
  private String namespace;
  private String queue = "script";
  private int count = 1;
  private @Nullable Integer priority;

  WorkloadShape(String namespace) {
    this.namespace = namespace;
  }

  /** In another namespace, which is created if it isn't there. */
  public WorkloadShape namespace(String name) {
    namespace = name;
    return this;
  }

  /** Puts it into another LocalQueue than {@code script}, which need not exist. */
  public WorkloadShape queue(String name) {
    queue = name;
    return this;
  }

  /** With so many pods, at least 1. */
  public WorkloadShape count(int pods) {
    count = pods;
    return this;
  }

  /** Each pod asks for this amount of a resource, for example 500m of cpu, beside the others. */
  public WorkloadShape request(String resource, String amount) {
    requests.put(resource, amount);
    return this;
  }

  /** Gives it this priority; it has none unless it is set. */
  public WorkloadShape priority(int value) {
    priority = value;
    return this;
  }

  /** With a label of the Workload itself, not of its pods. */
  public WorkloadShape label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  /** With an annotation of the Workload itself, not of its pods. */
  public WorkloadShape annotation(String key, String value) {
    annotations.put(key, value);
    return this;
  }

  /** The namespace that the Workload is in. */
  String namespace() {
    return namespace;
  }

  /** The object to create. */
  ObjectNode object(String name) {
    ObjectNode workload = Trees.empty();
    ObjectNode metadata = workload.putObject("metadata").put("name", name);
    metadata.put("namespace", namespace);
    labels.forEach(metadata.putObject("labels")::put);
    annotations.forEach(metadata.putObject("annotations")::put);
    ObjectNode spec = workload.putObject("spec").put("queueName", queue);
    if (priority != null) {
      spec.put("priority", priority);
    }
    ObjectNode podSet = spec.putArray("podSets").addObject().put("name", "main");
    ObjectNode pod = podSet.put("count", count).putObject("template").putObject("spec");
    ObjectNode container = pod.put("restartPolicy", "Never").putArray("containers").addObject();
    container.put("name", "main").put("image", "example.invalid/main");
    requests.forEach(container.putObject("resources").putObject("requests")::put);
    return workload;
  }
}
