// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadSpec;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Creates the Workload of a Job, and reads the labels and annotations that it depends on. */
@API(status = API.Status.INTERNAL)
public final class JobWorkload {
  private static final int HASH_LENGTH = 5;

  /** A name may have 253 characters; the dash and the hash have six. */
  private static final int LONGEST_PREFIX = 247;

  /** A label's value may have 63. */
  private static final int LONGEST_SHORT_PREFIX = 57;

  private JobWorkload() {}

  /**
   * A priority and its source.
   *
   * @param value the higher precedes
   * @param source the class; null for the default priority
   */
  public record Priority(int value, @Nullable PriorityClassRef source) {
    /** The priority of a Job that names no class. */
    public static Priority none() {
      return new Priority(0, null);
    }
  }

  /**
   * The key of the Workload of a Job: {@code <kind>-<name>-<hash>}, where the hash distinguishes
   * Jobs that had the same name at different times.
   *
   * @param shortened whether the name has to fit a label's value
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

  /** The prebuilt Workload that a Job names; empty if it names none. */
  public static Optional<String> prebuilt(KubernetesObject job) {
    return annotation(job, Keys.PREBUILT_WORKLOAD).or(() -> label(job, Keys.PREBUILT_WORKLOAD));
  }

  /**
   * The maximum execution time of a Job in seconds; empty unless its label is a positive number.
   */
  public static Optional<Integer> maximumExecutionTime(KubernetesObject job) {
    return label(job, Keys.MAX_EXECUTION_TIME).flatMap(PositiveNumber::read);
  }

  /** The admission gates of a Job or Workload; empty if there are none. */
  public static Optional<String> gates(KubernetesObject object) {
    return annotation(object, Keys.ADMISSION_GATED_BY);
  }

  /** Whether the Workload stays out of its queue until pods come, or it is known which. */
  public static boolean awaitsPods(Workload workload) {
    return awaitedPods(workload).isPresent();
  }

  /**
   * The pods that the Workload waits for outside its queue, if it does; see {@link
   * Keys#AWAITS_PODS}.
   */
  public static Optional<String> awaitedPods(Workload workload) {
    return annotation(workload, Keys.AWAITS_PODS)
        .filter(
            why ->
                PodGroup.has(workload)
                    || Metadata.owners(workload).stream()
                        .anyMatch(
                            owner ->
                                TrainJob.TYPE.isNamed(owner.getApiVersion(), owner.getKind())));
  }

  /**
   * Whether the Job of a Workload was deleted without it: the label of the Job is left, and no
   * owner is.
   */
  public static boolean orphaned(Workload workload) {
    return orphanOf(workload).isPresent();
  }

  /** The uid of the Job that was deleted without its Workload; empty if none was. */
  public static Optional<String> orphanOf(Workload workload) {
    return label(workload, Keys.JOB_UID).filter(uid -> Metadata.owners(workload).isEmpty());
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
   * @param key of the Workload
   * @param podSets with untrimmed templates
   * @param copied the metadata to copy from the Job
   */
  public static Workload create(
      ObjectKey key,
      ResourceType<?> type,
      KubernetesObject job,
      List<PodSet> podSets,
      Priority priority,
      CopiedMetadata copied) {
    return ownedBy(type, job, unowned(key, job, podSets, priority, copied));
  }

  /**
   * The Workload to create for a group of pods; see {@link #create}.
   *
   * @param server the object whose pods they are if they serve
   * @param pods all of them; the first stands for the others, except that the Workload depends on
   *     what any of them names
   */
  public static Workload ofGroup(
      ObjectKey key,
      Optional<V1OwnerReference> server,
      List<V1Pod> pods,
      List<PodSet> podSets,
      Priority priority,
      CopiedMetadata copied) {
    Workload workload = unowned(key, pods.getFirst(), podSets, priority, copied);
    workload.metadata().putAnnotationsItem(Keys.GROUP_WORKLOAD, "true");
    String others =
        pods.stream()
            .flatMap(pod -> annotation(pod, Keys.DEPENDS_ON).stream())
            .flatMap(text -> Stream.of(text.split("[,\\s]+", -1)))
            .filter(name -> !name.isEmpty())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      workload.metadata().putAnnotationsItem(Keys.DEPENDS_ON, others);
    }
    return ownedByGroup(server, pods, workload);
  }

  /**
   * A Workload with a group of pods as its owners, or the object whose pods serve, and a finalizer
   * that keeps it until they have stopped.
   *
   * @param server the object whose pods they are if they serve
   */
  public static Workload ownedByGroup(
      Optional<V1OwnerReference> server, Collection<V1Pod> pods, Workload workload) {
    return server.map(owner -> ownedBy(owner, workload)).orElseGet(() -> ownedBy(pods, workload));
  }

  /** A Workload that outlives the pods of its group, whose object makes others. */
  private static Workload ownedBy(V1OwnerReference server, Workload workload) {
    V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
    kept(metadata);
    metadata.addOwnerReferencesItem(
        new V1OwnerReference()
            .apiVersion(server.getApiVersion())
            .kind(server.getKind())
            .name(server.getName())
            .uid(server.getUid())
            .controller(true));
    return workload.withMetadata(metadata);
  }

  private static Workload unowned(
      ObjectKey key,
      KubernetesObject job,
      List<PodSet> podSets,
      Priority priority,
      CopiedMetadata copied) {
    if (!Trimming.whole(podSets)) {
      throw new IllegalArgumentException(
          "the pods of "
              + ObjectKey.of(job)
              + " are trimmed copies from a cache: read them whole from the API");
    }
    V1ObjectMeta owner = metadata(job);
    V1ObjectMeta metadata = new V1ObjectMeta().namespace(key.namespace()).name(key.name());
    Metadata.labels(owner)
        .forEach(
            (name, value) -> {
              if (copied.labels().contains(name)) {
                metadata.putLabelsItem(name, value);
              }
            });
    Metadata.annotations(owner)
        .forEach(
            (name, value) -> {
              if (copied.takesAnnotation(name)) {
                metadata.putAnnotationsItem(name, value);
              }
            });
    return Workload.named(key.namespace(), key.name())
        .withMetadata(metadata)
        .withSpec(
            WorkloadSpec.empty()
                .withPodSets(podSets)
                .withQueueName(queueName(job).orElse(null))
                .withMaximumExecutionTimeSeconds(maximumExecutionTime(job).orElse(null))
                .withPriority(priority.value())
                .withPriorityClassRef(priority.source()));
  }

  /** A pod set without the additions of a start, as far as they can be recognized. */
  public static PodSet withoutMarks(PodSet podSet) {
    return podSet.withTemplate(PodTemplates.withoutMarks(podSet.template()));
  }

  /**
   * A Workload with a Job as its controller, and a finalizer that keeps it until the Job has
   * stopped.
   */
  public static Workload ownedBy(ResourceType<?> type, KubernetesObject job, Workload workload) {
    V1ObjectMeta owner = metadata(job);
    V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
    metadata.putLabelsItem(Keys.JOB_UID, owner.getUid());
    kept(metadata);
    String served = job.getApiVersion(); // The garbage collector finds no other.
    metadata.addOwnerReferencesItem(
        new V1OwnerReference()
            .apiVersion(type.isNamed(served, type.kind()) ? served : type.apiVersion())
            .kind(type.kind())
            .name(owner.getName())
            .uid(owner.getUid())
            .controller(true)
            .blockOwnerDeletion(true));
    return workload.withMetadata(metadata);
  }

  /** A Workload with these pods as its owners instead of others, and the same finalizer. */
  public static Workload ownedBy(Collection<V1Pod> pods, Workload workload) {
    V1ObjectMeta metadata = PodTemplates.copy(workload.metadata(), V1ObjectMeta.class);
    kept(metadata);
    List<V1OwnerReference> owners =
        new ArrayList<>(
            PodGroup.owners(workload)
                .filter(owner -> !CoreTypes.POD.kind().equals(owner.getKind()))
                .toList());
    pods.forEach(
        pod ->
            owners.add(
                new V1OwnerReference()
                    .apiVersion(CoreTypes.POD.apiVersion())
                    .kind(CoreTypes.POD.kind())
                    .name(metadata(pod).getName())
                    .uid(metadata(pod).getUid())));
    metadata.setOwnerReferences(owners);
    return workload.withMetadata(metadata);
  }

  private static void kept(V1ObjectMeta metadata) {
    if (!Objects.requireNonNullElse(metadata.getFinalizers(), List.of()).contains(Keys.FINALIZER)) {
      metadata.addFinalizersItem(Keys.FINALIZER);
    }
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
