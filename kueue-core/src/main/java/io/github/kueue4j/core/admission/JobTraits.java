// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.jobs.JobKind;
import io.kubernetes.client.common.KubernetesObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a Job that the rules depend on, read from its JSON: parallelism and completions for
 * batch/v1, and those that all kinds share.
 *
 * @param resumable whether it can be suspended and resumed; a pod can't
 */
record JobTraits(
    Map<String, String> labels,
    Map<String, String> annotations,
    boolean suspended,
    boolean resumable,
    Optional<Integer> parallelism,
    Optional<Integer> completions,
    boolean indexed) {
  static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";
  static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";
  static final String PREBUILT = "kueue.x-k8s.io/prebuilt-workload-name";
  static final String MAXIMUM_TIME = "kueue.x-k8s.io/max-exec-time-seconds";
  static final String MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism";
  static final String COMPLETIONS_EQUAL_PARALLELISM =
      "kueue.x-k8s.io/job-completions-equal-parallelism";

  /** The traits of a Job of this kind. */
  static JobTraits of(JobKind<?> kind, JsonObject job) {
    JobTraits traits = of(job);
    return new JobTraits(
        traits.labels,
        traits.annotations,
        suspended(kind, job),
        kind.suspendField().isPresent(),
        traits.parallelism,
        traits.completions,
        traits.indexed);
  }

  private static <T extends KubernetesObject> boolean suspended(JobKind<T> kind, JsonObject job) {
    return kind.suspendField()
        .map(field -> field.isTrueIn(job))
        .orElseGet(() -> kind.suspended(KueueJson.fromTree(job, kind.type())));
  }

  static JobTraits of(JsonObject job) {
    JsonObject spec = member(job, "spec");
    return new JobTraits(
        metadata(job, "labels"),
        metadata(job, "annotations"),
        spec.get("suspend") instanceof JsonPrimitive suspend && suspend.getAsBoolean(),
        true,
        number(spec, "parallelism"),
        number(spec, "completions"),
        spec.get("completionMode") instanceof JsonPrimitive mode
            && mode.getAsString().equals("Indexed"));
  }

  Optional<String> label(String key) {
    return Optional.ofNullable(labels.get(key)).filter(value -> !value.isEmpty());
  }

  Optional<String> annotation(String key) {
    return Optional.ofNullable(annotations.get(key));
  }

  /** The LocalQueue; empty if none is named. */
  Optional<String> queue() {
    return label(QUEUE_NAME);
  }

  /** Its prebuilt Workload; the annotation takes precedence. */
  Optional<String> prebuiltWorkload() {
    return annotation(PREBUILT).filter(name -> !name.isEmpty()).or(() -> label(PREBUILT));
  }

  /** The largest number of pods that run at once. */
  int pods() {
    int atOnce = parallelism.orElse(1);
    return Math.min(atOnce, completions.orElse(atOnce));
  }

  private static JsonObject member(JsonObject parent, String name) {
    return parent.get(name) instanceof JsonObject object ? object : new JsonObject();
  }

  /**
   * The labels or annotations of an object or a template.
   *
   * @param field {@code labels} or {@code annotations}
   */
  static Map<String, String> metadata(JsonObject object, String field) {
    Map<String, String> texts = new HashMap<>();
    for (Map.Entry<String, JsonElement> entry :
        member(member(object, "metadata"), field).entrySet()) {
      if (entry.getValue() instanceof JsonPrimitive text) {
        texts.put(entry.getKey(), text.getAsString());
      }
    }
    return texts;
  }

  private static Optional<Integer> number(JsonObject spec, String name) {
    return spec.get(name) instanceof JsonPrimitive number && number.isNumber()
        ? Optional.of(number.getAsInt())
        : Optional.empty();
  }
}
