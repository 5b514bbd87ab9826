// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.config.FeatureGates;
import io.github.kueue4j.jobs.CopiedMetadata;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.jobs.Unsupported.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All that a Job asks for in vain: what isn't supported or is switched off, and labels and
 * annotations whose values mean nothing. The webhook refuses such values; Jobs that are written
 * while no webhook answers may have them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AskedInVain {
  private static final Map<String, Feature> BY_KEY =
      Map.of(
          JobTraits.QUEUE_NAME, Feature.QUEUE_NAME,
          JobTraits.PREBUILT, Feature.PREBUILT_NAME,
          JobTraits.MAXIMUM_TIME, Feature.EXECUTION_TIME,
          AdmissionGateRules.KEY, Feature.ADMISSION_GATES,
          JobTraits.MIN_PARALLELISM, Feature.MINIMUM_PARALLELISM,
          JobTraits.COMPLETIONS_EQUAL_PARALLELISM, Feature.EQUAL_COMPLETIONS);

  private static final List<String> LABELS =
      List.of(JobTraits.QUEUE_NAME, JobTraits.PRIORITY_CLASS, JobTraits.MAXIMUM_TIME);
  private static final List<String> ANNOTATIONS =
      List.of(
          AdmissionGateRules.KEY,
          JobTraits.MIN_PARALLELISM,
          JobTraits.COMPLETIONS_EQUAL_PARALLELISM);

  private AskedInVain() {}

  /**
   * Labels that a Job of any kind has as annotations or only on its pods, annotations that it has
   * as labels, both where they belong on its prebuilt Workload, and keys that don't exist: the core
   * reads none of them.
   *
   * @param copied to a Workload that isn't prebuilt
   */
  public static List<Unsupported> misplaced(JsonObject job, CopiedMetadata copied) {
    JobTraits traits = JobTraits.of(job);
    List<Unsupported> found = new ArrayList<>();
    for (String key : LABELS) {
      if (traits.label(key).isEmpty()) {
        add(found, Feature.LABEL_ELSEWHERE, "metadata.annotations", key, traits.annotation(key));
      }
    }
    for (String key : ANNOTATIONS) {
      if (traits.annotation(key).isEmpty()) {
        add(found, Feature.ANNOTATION_ELSEWHERE, "metadata.labels", key, traits.label(key));
      }
    }
    if (traits.prebuiltWorkload().isPresent()) {
      ofPrebuilt("metadata.labels", traits.labels(), copied.labels()::contains, found);
      ofPrebuilt("metadata.annotations", traits.annotations(), copied::takesAnnotation, found);
    }
    if (traits.queue().isEmpty()) {
      String path = "spec.template.metadata.labels";
      add(found, Feature.LABEL_ELSEWHERE, path, JobTraits.QUEUE_NAME, queueOfPods(job));
    }
    unknownKeys("", job, found);
    unknownKeysBelow("spec", job.get("spec"), found);
    return found;
  }

  private static void ofPrebuilt(
      String path, Map<String, String> keys, Predicate<String> copied, List<Unsupported> found) {
    new TreeMap<>(keys)
        .forEach(
            (key, value) -> {
              if (copied.test(key)) {
                add(found, Feature.OF_PREBUILT, path, key, Optional.of(value));
              }
            });
  }

  /** Finds unknown keys of pod templates at any depth, since each kind of Job has its own. */
  private static void unknownKeysBelow(
      String path, @Nullable JsonElement element, List<Unsupported> found) {
    if (element instanceof JsonArray items) {
      for (int i = 0; i < items.size(); i++) {
        unknownKeysBelow(path + "[" + i + "]", items.get(i), found);
      }
    } else if (element instanceof JsonObject object && !object.has("containers")) {
      unknownKeys(path + ".", object, found);
      object.asMap().forEach((name, field) -> unknownKeysBelow(path + "." + name, field, found));
    }
  }

  private static void unknownKeys(String path, JsonObject object, List<Unsupported> found) {
    for (String field : List.of("labels", "annotations")) {
      new TreeMap<>(JobTraits.metadata(object, field))
          .forEach(
              (key, value) -> {
                if (KnownKeys.lacks(key)) {
                  String place = path + "metadata." + field + "[" + key + "]";
                  found.add(unknownKey(place, key, value));
                }
              });
    }
  }

  private static Unsupported unknownKey(String place, String key, String value) {
    return KnownKeys.nearest(key)
        .map(
            known ->
                new Unsupported(
                    Feature.UNKNOWN_KEY, place, value, "perhaps " + known + " is meant"))
        .orElseGet(() -> new Unsupported(Feature.UNKNOWN_KEY, place, value));
  }

  private static void add(
      List<Unsupported> found, Feature feature, String path, String key, Optional<String> value) {
    value.ifPresent(text -> found.add(new Unsupported(feature, path + "[" + key + "]", text)));
  }

  /** The queue that the pods of a batch Job name. */
  private static Optional<String> queueOfPods(JsonObject job) {
    return job.get("spec") instanceof JsonObject spec
            && spec.get("template") instanceof JsonObject template
        ? JobTraits.of(template).label(JobTraits.QUEUE_NAME)
        : Optional.empty();
  }

  /** Annotations of a Job that a feature gate keeps from having an effect. */
  static List<Unsupported> gatedOff(JsonObject job, FeatureGates gates) {
    JobTraits traits = JobTraits.of(job);
    List<Unsupported> found = new ArrayList<>();
    if (!gates.enabled(FeatureGate.ADMISSION_GATED_BY)) {
      String key = AdmissionGateRules.KEY;
      add(found, Feature.GATES_OFF, "metadata.annotations", key, traits.annotation(key));
    }
    if (!gates.enabled(FeatureGate.PARTIAL_ADMISSION)) {
      String key = JobTraits.MIN_PARALLELISM;
      add(found, Feature.FEWER_PODS_OFF, "metadata.annotations", key, traits.annotation(key));
    }
    return found;
  }

  /** The features that a Job of any kind asks for in vain. */
  public static List<Unsupported> by(JsonObject job, Configuration configuration) {
    JobTraits traits = JobTraits.of(job);
    // A Job that runs may have fewer pods because of job-min-parallelism itself.
    boolean asWritten =
        traits.suspended() && traits.annotation("kueue.x-k8s.io/stopping").isEmpty();
    Stream<Violation> invalid =
        Stream.concat(
            JobRules.of(traits, configuration.featureGates()).stream(),
            asWritten ? JobRules.partialAdmission(traits).stream() : Stream.of());
    return Stream.of(
            Unsupported.in(job).stream(),
            misplaced(job, configuration.integrations().copied()).stream(),
            gatedOff(job, configuration.featureGates()).stream(),
            invalid.map(violation -> of(traits, violation.field())))
        .flatMap(Function.identity())
        .distinct()
        .toList();
  }

  /** A field such as {@code metadata.labels[KEY]}. */
  private static Unsupported of(JobTraits job, String field) {
    String key = field.substring(field.indexOf('[') + 1, field.length() - 1);
    String value =
        (field.startsWith("metadata.labels") ? job.label(key) : job.annotation(key)).orElseThrow();
    Feature feature = BY_KEY.get(key);
    if (feature == null) {
      throw new IllegalStateException("no text says what an invalid value of " + field + " does");
    }
    return new Unsupported(feature, field, value);
  }
}
