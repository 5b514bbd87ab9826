/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.job;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The Workload that stands for a Job. */
@API(status = API.Status.INTERNAL)
public final class JobWorkload {
  private static final int HASH_LENGTH = 5;

  /** A name may have 253 characters; the dash and the hash take six. */
  private static final int LONGEST_PREFIX = 247;

  /** A label's value may have 63. */
  private static final int LONGEST_SHORT_PREFIX = 57;

  private JobWorkload() {}

  /**
   * A priority and where it came from.
   *
   * @param value higher goes first
   * @param source the class; null for the default priority
   */
  public record Priority(int value, @Nullable PriorityClassRef source) {
    /** The priority of a Job that names no class. */
    public static Priority none() {
      return new Priority(0, null);
    }
  }

  /**
   * The key of the Workload of a Job: {@code <kind>-<name>-<hash>}, where the hash tells Jobs of
   * the same name that lived one after the other apart.
   */
  public static ObjectKey keyOf(ResourceType<?> type, KubernetesObject job) {
    return keyOf(type, job, false);
  }

  /**
   * The key of the Workload of a Job.
   *
   * @param shortened whether it is to fit a label's value
   */
  static ObjectKey keyOf(ResourceType<?> type, KubernetesObject job, boolean shortened) {
    V1ObjectMeta metadata = metadata(job);
    String name = Objects.requireNonNullElse(metadata.getName(), "");
    String uid = Objects.requireNonNullElse(metadata.getUid(), "");
    String prefix = type.kind().toLowerCase(Locale.ROOT) + "-" + name;
    int longest = shortened ? LONGEST_SHORT_PREFIX : LONGEST_PREFIX;
    String identity = String.join("\n", type.kind(), type.group(), name, uid);
    return new ObjectKey(
        Objects.requireNonNullElse(metadata.getNamespace(), ""),
        prefix.substring(0, Math.min(prefix.length(), longest)) + "-" + hash(identity));
  }

  /** The Workload that a Job names instead of having one made; empty if it names none. */
  public static Optional<String> prebuilt(KubernetesObject job) {
    return annotation(job, Keys.PREBUILT_WORKLOAD).or(() -> label(job, Keys.PREBUILT_WORKLOAD));
  }

  /** Seconds for which a Job may be admitted in all; empty if its label is no number above 0. */
  public static Optional<Integer> maximumExecutionTime(KubernetesObject job) {
    return label(job, Keys.MAX_EXECUTION_TIME).flatMap(PositiveNumber::read);
  }

  /** Who must agree before a Job is queued; empty if nobody need. */
  public static Optional<String> gates(KubernetesObject object) {
    return annotation(object, Keys.ADMISSION_GATED_BY);
  }

  /** The LocalQueue that a Job names; empty if it names none. */
  public static Optional<String> queueName(KubernetesObject job) {
    return label(job, Keys.QUEUE_NAME);
  }

  /** The WorkloadPriorityClass that a Job names; empty if it names none. */
  public static Optional<String> priorityClass(KubernetesObject job) {
    return label(job, Keys.PRIORITY_CLASS);
  }

  /**
   * The Workload to create for a Job.
   *
   * @param key what it is to be called
   * @param podSets whole
   * @param copied what it takes over from the Job
   */
  public static Workload create(
      ObjectKey key,
      ResourceType<?> type,
      KubernetesObject job,
      List<PodSet> podSets,
      Priority priority,
      CopiedMetadata copied) {
    if (!Trimming.whole(podSets)) {
      throw new IllegalArgumentException(
          "the pods of " + ObjectKey.of(job) + " come from a cache: read them whole from the API");
    }
    V1ObjectMeta owner = metadata(job);
    V1ObjectMeta metadata = new V1ObjectMeta().namespace(key.namespace()).name(key.name());
    Objects.requireNonNullElse(owner.getLabels(), Map.<String, String>of())
        .forEach(
            (name, value) -> {
              if (copied.labels().contains(name)) {
                metadata.putLabelsItem(name, value);
              }
            });
    Objects.requireNonNullElse(owner.getAnnotations(), Map.<String, String>of())
        .forEach(
            (name, value) -> {
              if (name.startsWith(Keys.PROVISIONING_PREFIX)
                  || name.equals(Keys.ADMISSION_GATED_BY)
                  || copied.annotations().contains(name)) {
                metadata.putAnnotationsItem(name, value);
              }
            });
    return ownedBy(
        type,
        job,
        Workload.named(key.namespace(), key.name())
            .withMetadata(metadata)
            .withSpec(
                WorkloadSpec.empty()
                    .withPodSets(podSets)
                    .withQueueName(queueName(job).orElse(null))
                    .withMaximumExecutionTimeSeconds(maximumExecutionTime(job).orElse(null))
                    .withPriority(priority.value())
                    .withPriorityClassRef(priority.source())));
  }

  /** Pods as they were before a start of ours, as far as that can be told from them alone. */
  public static PodSet withoutMarks(PodSet podSet) {
    return podSet.withTemplate(PodTemplates.withoutMarks(podSet.template()));
  }

  /** A Workload with a Job as its controller, kept until the Job has let go of it. */
  public static Workload ownedBy(ResourceType<?> type, KubernetesObject job, Workload workload) {
    V1ObjectMeta owner = metadata(job);
    V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
    metadata.putLabelsItem(Keys.JOB_UID, owner.getUid());
    if (!Objects.requireNonNullElse(metadata.getFinalizers(), List.of()).contains(Keys.FINALIZER)) {
      metadata.addFinalizersItem(Keys.FINALIZER);
    }
    metadata.addOwnerReferencesItem(
        new V1OwnerReference()
            .apiVersion(type.apiVersion())
            .kind(type.kind())
            .name(owner.getName())
            .uid(owner.getUid())
            .controller(true)
            .blockOwnerDeletion(true));
    return workload.withMetadata(metadata);
  }

  private static Optional<String> label(KubernetesObject job, String key) {
    return Optional.ofNullable(metadata(job).getLabels())
        .map(labels -> labels.get(key))
        .filter(value -> !value.isEmpty());
  }

  private static Optional<String> annotation(KubernetesObject job, String key) {
    return Optional.ofNullable(metadata(job).getAnnotations())
        .map(annotations -> annotations.get(key))
        .filter(value -> !value.isEmpty());
  }

  private static V1ObjectMeta metadata(KubernetesObject job) {
    return Objects.requireNonNullElseGet(job.getMetadata(), V1ObjectMeta::new);
  }

  private static String hash(String identity) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(identity.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
