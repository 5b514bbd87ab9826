// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonElement;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A kind whose objects run pods without an end. The webhook carries the queue of an object into its
 * pod templates, and its pods are queued as {@link PlainPod}s.
 *
 * @param framework the name in {@code integrations.frameworks}
 * @param type the resource type
 * @param grouped whether the pods of an object are queued as {@link PodGroup}s, with a Workload
 *     each; else each pod has its own
 * @param templates where its pod templates are; only the last one has to be there
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record ServingKind(
    String framework,
    ResourceType<CustomResource<ServingKind.Replicas>> type,
    boolean grouped,
    List<FieldPath> templates) {
  /**
   * The part of a spec that is read.
   *
   * @param replicas the number of pods; 1 if absent
   * @param template of the pods
   * @param ordinals of the pods of a StatefulSet; from 0 on if absent
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Replicas(
      Optional<Integer> replicas, Optional<Template> template, Optional<Ordinals> ordinals) {
    /** The queue that the pods will name; empty if they name none. */
    public Optional<String> queueName() {
      return template
          .flatMap(Template::metadata)
          .map(metadata -> metadata.labels().get(Keys.QUEUE_NAME))
          .filter(name -> !name.isEmpty());
    }
  }

  /** The part of a pod template that is read. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Template(Optional<Labelled> metadata) {}

  /** The part of its metadata that is read. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Labelled(Map<String, String> labels) {}

  /**
   * The numbers in the names of pods.
   *
   * @param start the first one; 0 if absent
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public record Ordinals(Optional<Integer> start) {}

  /** Each group of its pods, a leader and its workers, has a Workload. */
  public static final ServingKind LEADER_WORKER_SET =
      new ServingKind(
          "leaderworkerset.x-k8s.io/leaderworkerset",
          ResourceType.namespaced("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", Replicas.class),
          true,
          List.of(
              FieldPath.parse("spec.leaderWorkerTemplate.leaderTemplate"),
              FieldPath.parse("spec.leaderWorkerTemplate.workerTemplate")));

  public static final List<ServingKind> ALL =
      List.of(
          of("deployment", "Deployment", false),
          of("statefulset", "StatefulSet", true),
          LEADER_WORKER_SET);

  private static ServingKind of(String framework, String kind, boolean grouped) {
    return new ServingKind(
        framework,
        ResourceType.namespaced("apps/v1", kind, Replicas.class),
        grouped,
        List.of(FieldPath.parse("spec.template")));
  }

  /** The one that these objects are of; empty if there is none. */
  public static Optional<ServingKind> of(ResourceType<?> type) {
    return ALL.stream().filter(kind -> kind.type().equals(type)).findFirst();
  }

  /** The one whose objects have their pods as a group, if this owner is such an object. */
  public static Optional<ServingKind> grouping(V1OwnerReference owner) {
    return ALL.stream()
        .filter(ServingKind::grouped)
        .filter(kind -> kind.type().apiVersion().equals(owner.getApiVersion()))
        .filter(kind -> kind.type().kind().equals(owner.getKind()))
        .findFirst();
  }

  /** How many pods an object is to have that name a queue. */
  public static int queuedPods(CustomResource<Replicas> object) {
    Replicas spec = object.spec();
    boolean queued = JobWorkload.queueName(object).isPresent() || spec.queueName().isPresent();
    return queued ? spec.replicas().orElse(1) : 0;
  }

  /** Whether a group may be that of an object, by its name. */
  static boolean mayName(String group) {
    return ALL.stream().filter(ServingKind::grouped).anyMatch(kind -> kind.mayHaveNamed(group));
  }

  /** Whether a group may be that of an object of this kind, by its name. */
  boolean mayHaveNamed(String group) {
    return group.startsWith(type.kind().toLowerCase(Locale.ROOT) + "-");
  }

  /** Whether a pod template of an object, as JSON, names another queue than the object, or none. */
  public boolean lacksQueue(JsonElement object) {
    FieldPath label = FieldPath.of("metadata", "labels", Keys.QUEUE_NAME);
    Optional<String> queue = label.textIn(object);
    return templates.stream()
        .flatMap(template -> template.allIn(object).stream())
        .anyMatch(template -> !label.textIn(template).equals(queue));
  }

  /** Its pod templates that an object has, as the elements of a list in CEL. */
  public String templatesInCel() {
    String required = "object." + templates.getLast();
    return templates.stream()
        .map(
            path -> {
              String text = "object." + path;
              int last = text.lastIndexOf('.') + 1;
              return text.equals(required)
                  ? required
                  : text.substring(0, last)
                      + "?"
                      + text.substring(last)
                      + ".orValue("
                      + required
                      + ")";
            })
        .collect(Collectors.joining(", "));
  }

  /** The name of the group, and Workload, of the pods of an object. */
  public String groupOf(V1OwnerReference owner) {
    V1ObjectMeta identity = new V1ObjectMeta().name(owner.getName()).uid(owner.getUid());
    return JobWorkload.keyOf(type, new V1Pod().metadata(identity), true).name();
  }
}
