// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Pods that belong to no Job (KEP-976): one pod set, {@code main}, of one pod, or a {@link
 * PodGroup} with a pod set for each role. A scheduling gate holds a pod until its Workload is
 * admitted. The API server lets no gate be added later, so a stop is the pod's deletion.
 *
 * <p>The webhook decides which pods are managed, and gives those a gate, a label and a finalizer:
 * the core never touches a pod without the finalizer. That keeps a pod until its Workload says how
 * it ended.
 */
@API(status = API.Status.INTERNAL)
public final class PlainPod implements JobKind<V1Pod> {
  private static final String POD_SET = "main";
  private static final String TERMINATION_TARGET = "TerminationTarget";
  private static final String STOPPED = "StoppedByKueue";

  /** Annotations that the core reads from the template in a Workload. */
  private static final String POD_SET_REQUESTS = "kueue.x-k8s.io/podset-";

  @Override
  public String framework() {
    return "pod";
  }

  @Override
  public ResourceType<V1Pod> type() {
    return CoreTypes.POD;
  }

  @Override
  public Optional<FieldPath> suspendField() {
    return Optional.empty();
  }

  @Override
  public Optional<String> selector() {
    return Optional.of(Keys.MANAGED + "=true");
  }

  /**
   * One that another core or a user let run isn't: what is deleted by mistake doesn't come back.
   * Pods of another implementation's groups have the same label and finalizer.
   */
  @Override
  public boolean manageable(V1Pod pod) {
    return kept(pod) && (suspended(pod) || startedByCore(pod));
  }

  /** Whether this core has started it. */
  public static boolean startedByCore(V1Pod pod) {
    return Uids.of(pod).equals(label(pod, Keys.JOB_UID));
  }

  /** Whether the core's finalizer keeps it. */
  static boolean kept(V1Pod pod) {
    return finalizers(pod).contains(Keys.MANAGED);
  }

  @Override
  public Optional<String> group(V1Pod pod) {
    return Optional.ofNullable(label(pod, Keys.POD_GROUP)).filter(name -> !name.isEmpty());
  }

  /**
   * The pod set that it belongs to. What a start adds would change the role of a pod, so that one
   * that was started has the pod set as a label.
   */
  String podSet(V1Pod pod) {
    if (group(pod).isEmpty()) {
      return POD_SET;
    }
    String startedIn = suspended(pod) ? null : label(pod, Keys.POD_SET);
    String named = annotation(pod, Keys.ROLE);
    if (startedIn != null || named != null) {
      return Objects.requireNonNullElse(startedIn, named);
    }
    return pod instanceof TrimmedPod trimmed ? trimmed.role() : Equivalence.role(template(pod));
  }

  @Override
  public Optional<V1Pod> released(V1Pod pod) {
    if (!kept(pod)) {
      return Optional.empty();
    }
    V1Pod after = PodTemplates.copy(pod, V1Pod.class);
    List<String> others =
        finalizers(pod).stream().filter(name -> !name.equals(Keys.MANAGED)).toList();
    metadata(after).setFinalizers(others.isEmpty() ? null : others);
    return Optional.of(after);
  }

  @Override
  public Optional<V1Pod> pod(V1Pod pod) {
    return Optional.of(pod);
  }

  @Override
  public V1Pod trimmed(V1Pod read) {
    if (read instanceof TrimmedPod) {
      return read;
    }
    V1PodTemplateSpec template = template(read);
    return new TrimmedPod(read, template, group(read).isEmpty() ? "" : Equivalence.role(template));
  }

  @Override
  public List<PodSet> podSets(V1Pod pod) {
    return List.of(new PodSet(podSet(pod), template(pod), 1, null));
  }

  /**
   * The pod as a template, as it was before the webhook. Labels and most annotations are left out:
   * they may change at any time, and would have a Workload with quota replaced.
   */
  static V1PodTemplateSpec template(V1Pod pod) {
    if (pod instanceof TrimmedPod trimmed) {
      return trimmed.template();
    }
    V1PodSpec spec = PodTemplates.copy(spec(pod), V1PodSpec.class);
    spec.setSchedulingGates(gatesBut(spec, Keys.ADMISSION_GATE));
    Map<String, String> requests = new TreeMap<>(Metadata.annotations(pod));
    requests.keySet().removeIf(key -> !key.startsWith(POD_SET_REQUESTS));
    return PodTemplates.forWorkload(
        new V1PodTemplateSpec()
            .metadata(new V1ObjectMeta().annotations(PodTemplates.orNull(requests)))
            .spec(spec));
  }

  @Override
  public Optional<String> podPriorityClass(V1Pod pod) {
    return Optional.ofNullable(spec(pod).getPriorityClassName()).filter(name -> !name.isEmpty());
  }

  @Override
  public Optional<String> refusal(V1Pod pod) {
    return suspended(pod) && group(pod).isPresent() ? PodGroup.refusal(pod) : Optional.empty();
  }

  @Override
  public Optional<String> managedBy(V1Pod pod) {
    return Optional.empty();
  }

  /** Also once only finalizers keep the pod: its kubelet, if it had one, has let it go. */
  @Override
  public Optional<FinishedOwner> finished(V1Pod pod) {
    V1PodStatus status = status(pod);
    if (PodPhases.ended(pod)) {
      return Optional.of(
          new FinishedOwner(
              "Succeeded".equals(status.getPhase()) ? "Succeeded" : "Failed",
              Objects.requireNonNullElse(status.getMessage(), "")));
    }
    Long grace = metadata(pod).getDeletionGracePeriodSeconds();
    return terminating(pod) && grace != null && grace == 0
        ? Optional.of(new FinishedOwner("Failed", "The pod was deleted"))
        : Optional.empty();
  }

  @Override
  public boolean suspended(V1Pod pod) {
    return gates(spec(pod)).stream().anyMatch(gate -> gate.getName().equals(Keys.ADMISSION_GATE));
  }

  @Override
  public boolean stopped(V1Pod pod) {
    return suspended(pod);
  }

  @Override
  public boolean podsReady(V1Pod pod) {
    return "Succeeded".equals(status(pod).getPhase()) || isTrue(pod, "Ready");
  }

  @Override
  public JobProgress progress(V1Pod pod) {
    boolean active = !suspended(pod) && !PodPhases.ended(pod);
    return new JobProgress(
        "pods",
        active ? 1 : 0,
        active && podsReady(pod) ? 1 : 0,
        active && terminating(pod) ? 1 : 0);
  }

  @Override
  public String podSelector(V1Pod pod) {
    return group(pod)
        .map(group -> Keys.POD_GROUP + "=" + group)
        .orElseGet(() -> podSelector(Uids.of(pod)));
  }

  @Override
  public String podSelector(String uid) {
    return Keys.JOB_UID + "=" + uid;
  }

  @Override
  public Map<String, Integer> reclaimablePods(V1Pod pod) {
    return Map.of();
  }

  /** One write: the API server takes node selectors from a pod that has a gate before it. */
  @Override
  public Start<V1Pod> start(V1Pod pod, List<PodSetAdditions> podSets) {
    Optional<String> refusal = refusal(pod);
    if (refusal.isPresent()) {
      return new Start.Impossible<>(refusal.get());
    }
    Optional<PodSetAdditions> additions =
        podSets.stream()
            .filter(candidate -> ofItsGroup(pod, podSets) || candidate.name().equals(podSet(pod)))
            .findFirst();
    if (additions.isEmpty()) {
      return new Start.Impossible<>("the admission has no assignment for pod set " + podSet(pod));
    }
    V1Pod after = PodTemplates.copy(pod, V1Pod.class);
    V1PodSpec spec = spec(after);
    Optional<String> conflict =
        PodTemplates.start(
            new V1PodTemplateSpec().metadata(metadata(after)).spec(spec), additions.get());
    if (conflict.isPresent()) {
      return new Start.Impossible<>(conflict.get());
    }
    spec.setSchedulingGates(gatesBut(spec, Keys.ADMISSION_GATE));
    metadata(after).putLabelsItem(Keys.JOB_UID, Uids.of(pod));
    return new Start.Ready<>(after);
  }

  /** Whether its group says which pod set it belongs to. */
  private boolean ofItsGroup(V1Pod pod, List<PodSetAdditions> podSets) {
    return group(pod).isPresent() && podSets.size() == 1;
  }

  /** The condition comes first, so that a failure policy can tell this end from others. */
  @Override
  public Optional<StopStep<V1Pod>> nextStopStep(V1Pod pod, List<PodSet> podSets) {
    if (suspended(pod) || terminating(pod) || PodPhases.ended(pod)) {
      return Optional.empty();
    }
    if (isTrue(pod, TERMINATION_TARGET)) {
      return Optional.of(new StopStep<>(pod, StopWrite.DELETION, true));
    }
    V1Pod after = PodTemplates.copy(pod, V1Pod.class);
    after.setStatus(
        status(after)
            .addConditionsItem(
                new V1PodCondition()
                    .type(TERMINATION_TARGET)
                    .status("True")
                    .reason(STOPPED)
                    .message("The pod has no quota any more; its events and Workload say why")));
    return Optional.of(new StopStep<>(after, StopWrite.STATUS, true));
  }

  /**
   * Whether the core has stopped it, so that its deletion says nothing about what its user wants.
   */
  static boolean stoppedByCore(V1Pod pod) {
    return conditions(pod).stream()
        .anyMatch(
            condition ->
                condition.getType().equals(TERMINATION_TARGET)
                    && STOPPED.equals(condition.getReason()));
  }

  private static List<V1PodCondition> conditions(V1Pod pod) {
    return Objects.requireNonNullElse(status(pod).getConditions(), List.of());
  }

  static @Nullable String label(V1Pod pod, String key) {
    return Metadata.labels(pod).get(key);
  }

  static @Nullable String annotation(V1Pod pod, String key) {
    return Metadata.annotations(pod).get(key);
  }

  private static boolean isTrue(V1Pod pod, String type) {
    return conditions(pod).stream()
        .anyMatch(
            condition -> condition.getType().equals(type) && "True".equals(condition.getStatus()));
  }

  static boolean terminating(V1Pod pod) {
    return metadata(pod).getDeletionTimestamp() != null;
  }

  private static List<String> finalizers(V1Pod pod) {
    return Objects.requireNonNullElse(metadata(pod).getFinalizers(), List.of());
  }

  private static List<V1PodSchedulingGate> gates(V1PodSpec spec) {
    return Objects.requireNonNullElse(spec.getSchedulingGates(), List.of());
  }

  private static @Nullable List<V1PodSchedulingGate> gatesBut(V1PodSpec spec, String name) {
    List<V1PodSchedulingGate> others =
        gates(spec).stream().filter(gate -> !gate.getName().equals(name)).toList();
    return others.isEmpty() ? null : others;
  }

  private static V1ObjectMeta metadata(V1Pod pod) {
    V1ObjectMeta metadata = pod.getMetadata();
    return metadata == null ? new V1ObjectMeta() : metadata;
  }

  private static V1PodSpec spec(V1Pod pod) {
    V1PodSpec spec = pod.getSpec();
    return spec == null ? new V1PodSpec() : spec;
  }

  private static V1PodStatus status(V1Pod pod) {
    V1PodStatus status = pod.getStatus();
    return status == null ? new V1PodStatus() : status;
  }
}
