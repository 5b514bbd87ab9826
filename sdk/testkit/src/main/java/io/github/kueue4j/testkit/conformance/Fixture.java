// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.script.KueueScript;
import io.github.kueue4j.testkit.script.PlayedWorkload;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The objects that a run makes, all with names of their own, and takes away in the end. */
final class Fixture implements AutoCloseable {
  /** Keeps a deleted Workload until the kit has seen what the controller does with it. */
  private static final String FINALIZER = "conformance.kueue4j.io/looking-at-it";

  private static final String NAMESPACES = "/api/v1/namespaces";

  /** The name of a controller that doesn't exist. */
  private static final String NO_CONTROLLER = "conformance.kueue4j.io/nobody";

  private static final String ACTIVE = "Active";

  /** How long the server may take to show the kit what it has; independent of the controller. */
  private static final Duration FOR_THE_SERVER = Duration.ofMinutes(1);

  /**
   * The plan of a situation.
   *
   * @param suffix makes the names unique
   */
  record Plan(
      JsonApi api,
      TimeSource time,
      String controllerName,
      @Nullable ObjectNode parameters,
      @Nullable ObjectNode workload,
      Duration patience,
      String suffix) {
    /** The name of everything of cluster scope, with an ending. */
    String name(String ending) {
      return "kueue4j-conformance-" + suffix + ending;
    }
  }

  private final Plan plan;
  private final KueueScript script;
  private final List<ObjectKey> workloads = new ArrayList<>();

  private Fixture(Plan plan, KueueScript script) {
    this.plan = plan;
    this.script = script;
  }

  static Fixture prepare(Plan plan) {
    ObjectNode namespace = Trees.empty().put("apiVersion", "v1").put("kind", "Namespace");
    namespace.putObject("metadata").put("name", plan.name(""));
    plan.api().create(NAMESPACES, namespace);
    KueueScript script =
        KueueScript.builder(plan.api(), plan.time())
            .namespace(plan.name(""))
            .flavor(plan.name(""))
            .patience(plan.patience())
            .start();
    Fixture fixture = new Fixture(plan, script);
    try {
      script.admissionCheck(
          fixture.admissionCheck(fixture.check(), plan.controllerName(), plan.parameters()));
      script.admissionCheck(fixture.admissionCheck(fixture.otherCheck(), NO_CONTROLLER, null));
      return fixture;
    } catch (RuntimeException e) {
      fixture.close();
      throw e;
    }
  }

  private ObjectNode admissionCheck(
      String name, String controllerName, @Nullable ObjectNode parameters) {
    ObjectNode check = Trees.empty().put("apiVersion", KueueTypes.ADMISSION_CHECK.apiVersion());
    check.put("kind", KueueTypes.ADMISSION_CHECK.kind());
    check.putObject("metadata").put("name", name);
    ObjectNode spec = check.putObject("spec").put("controllerName", controllerName);
    if (parameters != null) {
      spec.set("parameters", parameters);
    }
    return check;
  }

  /** The AdmissionCheck of the controller under test. */
  String check() {
    return plan.name("");
  }

  /** An AdmissionCheck that has no controller. */
  String otherCheck() {
    return plan.name("-other");
  }

  KueueScript script() {
    return script;
  }

  /** A new Workload, which asks no check yet. */
  PlayedWorkload workload(String name) {
    return workload(name, false);
  }

  /** A new Workload that stays when it is deleted, until the run is over. */
  PlayedWorkload lastingWorkload(String name) {
    return workload(name, true);
  }

  private PlayedWorkload workload(String name, boolean lasting) {
    ObjectNode object = Trees.empty();
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    ObjectNode template = plan.workload();
    if (template != null) {
      for (String part : List.of("labels", "annotations")) {
        metadata.set(part, Trees.object(Trees.object(template, "metadata"), part).deepCopy());
      }
    }
    if (lasting) {
      metadata.putArray("finalizers").add(FINALIZER);
    }
    object.set("spec", template == null ? onePod() : Trees.object(template, "spec").deepCopy());
    PlayedWorkload workload = script.workload(object);
    workloads.add(workload.key());
    return workload;
  }

  private static ObjectNode onePod() {
    ObjectNode spec = Trees.empty().put("queueName", "conformance");
    ObjectNode podSet = spec.putArray("podSets").addObject().put("name", "main").put("count", 1);
    ObjectNode pod = podSet.putObject("template").putObject("spec").put("restartPolicy", "Never");
    ObjectNode container = pod.putArray("containers").addObject().put("name", "main");
    container.put("image", "example.invalid/main");
    container.putObject("resources").putObject("requests").put("cpu", "1");
    return spec;
  }

  /** The condition Active of an AdmissionCheck, once it is there. */
  Optional<JsonNode> active(String check) {
    return plan.api()
        .get(KueueTypes.ADMISSION_CHECK.path(ObjectKey.cluster(check)))
        .flatMap(
            object -> {
              for (JsonNode condition : object.path("status").path("conditions")) {
                if (Trees.text(condition, "type").equals(ACTIVE)) {
                  return Optional.of(condition);
                }
              }
              return Optional.empty();
            });
  }

  /** The writes of others than the kit to this Workload since it had this version. */
  List<ObservedWrite> writes(PlayedWorkload workload, String since) {
    List<ObjectNode> versions =
        script.history().upTo(workload.key(), workload.tree(), FOR_THE_SERVER);
    List<ObservedWrite> writes = new ArrayList<>();
    boolean counts = since.isEmpty();
    for (int i = 1; i < versions.size(); i++) {
      ObjectNode before = versions.get(i - 1);
      ObjectNode after = versions.get(i);
      counts |= version(before).equals(since);
      boolean ours = script.wrote(after) || Trees.deleting(after) != Trees.deleting(before);
      if (counts && !ours) {
        writes.add(new ObservedWrite(before, after));
      }
    }
    return writes;
  }

  static String version(ObjectNode object) {
    return Trees.text(Trees.metadata(object), "resourceVersion");
  }

  /** The Workloads of the run. */
  List<ObjectKey> workloads() {
    return List.copyOf(workloads);
  }

  @Override
  public void close() {
    script.close();
    for (ObjectKey workload : workloads) {
      remove(KueueTypes.WORKLOAD, workload);
    }
    remove(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(check()));
    remove(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(otherCheck()));
    remove(KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster(plan.name("")));
    plan.api().delete(NAMESPACES + '/' + plan.name(""));
  }

  /** Deletes the object, whatever finalizers it has. */
  private void remove(ResourceType<?> type, ObjectKey key) {
    String path = type.path(key);
    plan.api().delete(path);
    ObjectNode patch = Trees.empty();
    patch.putObject("metadata").putNull("finalizers");
    try {
      plan.api().patch(path, PatchFormat.MERGE, patch);
    } catch (RefusedRequestException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }
}
