// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Says what would become of Jobs if they were created now, one after the other.
 *
 * <p>It takes the steps that a new Job takes: the webhooks' defaults and rules, what else the API
 * server refuses, the Workload that the core makes of the Job, and the scheduler, which first tries
 * all that waits already. So what it says of quota is what a core decides that has just taken over
 * from another.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DryRun {
  /** What counts as absent where it can't be read. */
  private static final List<ResourceType<?>> OPTIONAL =
      List.of(
          CoreTypes.LIMIT_RANGE,
          CoreTypes.RUNTIME_CLASS,
          CoreTypes.PRIORITY_CLASS,
          KueueTypes.WORKLOAD_PRIORITY_CLASS,
          CoreTypes.NAMESPACE);

  private final DryRunInput input;
  private final Configuration configuration;
  private final ReadObjects objects;
  private final TrialState trial;
  private final AdmissionRules rules;

  /** As the API server writes it. */
  private final Instant now;

  private long version;

  private DryRun(DryRunInput input, Instant now) {
    this.input = input;
    this.configuration = Objects.requireNonNullElseGet(input.configuration(), DryRun::presumed);
    this.objects = new ReadObjects(input.objects());
    Instant current = noEarlierThan(objects.all(KueueTypes.WORKLOAD), now);
    this.now = current.truncatedTo(ChronoUnit.SECONDS);
    this.trial = TrialState.of(configuration, objects, current);
    this.rules =
        new AdmissionRules(
            configuration, new ReadContext(objects, configuration.managedNamespaces()));
    this.version =
        objects.all(KueueTypes.WORKLOAD).stream()
            .mapToLong(workload -> ResourceVersions.number(workload).orElse(0))
            .max()
            .orElse(0);
  }

  /**
   * The fate of each object, in their order; each sees what those before it got. Pods of one group
   * have one result, in place of the last of them.
   *
   * @param now the current time by the cluster's clock
   */
  public static List<DryRunResult> of(DryRunInput input, Instant now) {
    DryRun run = new DryRun(input, now);
    List<Manifest> manifests = input.manifests();
    Map<ObjectKey, List<Manifest>> groups = new HashMap<>();
    for (Manifest manifest : manifests) {
      manifest
          .podGroup()
          .ifPresent(
              group -> groups.computeIfAbsent(group, any -> new ArrayList<>()).add(manifest));
    }
    Map<ObjectKey, Integer> seen = new HashMap<>();
    List<DryRunResult> results = new ArrayList<>();
    for (Manifest manifest : manifests) {
      Optional<ObjectKey> group = manifest.podGroup();
      if (group.isEmpty()) {
        results.add(run.result(manifest));
        continue;
      }
      List<Manifest> members = groups.getOrDefault(group.get(), List.of());
      if (seen.merge(group.get(), 1, Integer::sum) == members.size()) {
        // Queued once its last pod is there.
        results.add(new NewPodGroup(run, group.get()).result(members));
      }
    }
    return results;
  }

  /**
   * The cluster as it is, with all scheduled that waits.
   *
   * @param now the current time by the cluster's clock
   */
  @API(status = API.Status.INTERNAL)
  public static DryRun present(DryRunInput input, Instant now) {
    return new DryRun(input, now);
  }

  /**
   * A client's clock may be behind the cluster's: what is made now comes after all that is there.
   */
  private static Instant noEarlierThan(List<Workload> workloads, Instant now) {
    return workloads.stream()
        .flatMap(
            workload ->
                Stream.concat(
                    Stream.of(QueueOrder.createdAt(workload)),
                    workload.status().conditions().stream().map(Condition::lastTransitionTime)))
        .filter(now::isBefore)
        .max(Comparator.naturalOrder())
        .orElse(now);
  }

  /** Why it isn't known whether the core manages objects of this kind in this namespace. */
  Optional<String> unknown(JobKind<?> kind, String namespace) {
    return kind.suspendField().isEmpty()
        ? unknown(kind.type(), namespace)
        : unknownNamespace(namespace);
  }

  /** The same of a kind that needs more than to be managed, such as a webhook. */
  Optional<String> unknown(ResourceType<?> type, String namespace) {
    return input.configuration() == null
        ? Optional.of(
            "Whether the core manages the kind %s is in its configuration, which can't be read from here;"
                    .formatted(type.kind())
                + " give it with --config.")
        : unknownNamespace(namespace);
  }

  private Optional<String> unknownNamespace(String namespace) {
    return configuration.managedNamespaces().needLabels()
            && objects.unreadable().contains(CoreTypes.NAMESPACE)
            && objects.find(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace)).isEmpty()
        ? Optional.of(
            "Whether the core manages the namespace depends on its labels: that needs get of"
                + " namespaces.")
        : Optional.empty();
  }

  /** The defaults of a core that manages all kinds that need no declaration. */
  static Configuration presumed() {
    return Configuration.parse(
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nintegrations: {frameworks: ["
            + String.join(", ", Integrations.ofAll().frameworks())
            + "]}\n");
  }

  private DryRunResult result(Manifest manifest) {
    for (JobKind<?> kind : configuration.integrations().kinds().all()) {
      if (manifest.isOf(kind)) {
        return new NewJob<>(this, kind, manifest.key()).result(manifest);
      }
    }
    for (ServingKind kind : ServingKind.ALL) {
      if (manifest.isOf(kind.type())) {
        return new NewServing(this, kind, manifest.key()).result(manifest);
      }
    }
    if (manifest.kind().equals("Workload") && manifest.apiVersion().startsWith(KueueTypes.GROUP)) {
      return DryRunResult.of(
          manifest.kind(),
          manifest.key(),
          DryRunOutcome.NOT_MANAGED,
          "A Workload isn't tried: give the Job that it is made of; of a Workload that exists, 'explain workload/%s' says why it waits."
              .formatted(manifest.key().name()));
    }
    if (input.configuration() == null && manifest.apiVersion().contains(".")) {
      return DryRunResult.of(
          manifest.kind(),
          manifest.key(),
          DryRunOutcome.UNKNOWN,
          "The kind %s of %s may be declared in the core's configuration, which can't be read from here; give it with --config."
              .formatted(manifest.kind(), manifest.apiVersion()));
    }
    return DryRunResult.of(
        manifest.kind(),
        manifest.key(),
        DryRunOutcome.NOT_MANAGED,
        "The core makes no Workloads for the kind %s of %s; this object is left out."
            .formatted(manifest.kind(), manifest.apiVersion()));
  }

  /** Marks an object as created now, after all others. */
  void create(V1ObjectMeta metadata) {
    version++;
    metadata
        .uid(new UUID(0, version).toString())
        .resourceVersion(String.valueOf(version))
        .creationTimestamp(now.atOffset(ZoneOffset.UTC));
  }

  /** The core's configuration, or what is presumed in its place. */
  @API(status = API.Status.INTERNAL)
  public Configuration configuration() {
    return configuration;
  }

  /** The answer of the API server if it would not create this object. */
  Optional<KubernetesApiException> refusal(Manifest manifest) {
    return input.refusal(manifest);
  }

  /** Whether webhooks review what is created. */
  boolean reviews() {
    return input.configuration() == null || configuration.webhook().isPresent();
  }

  /** What the webhooks of the core do. */
  AdmissionRules rules() {
    return rules;
  }

  ReadObjects objects() {
    return objects;
  }

  /** The State in which it is tried. */
  @API(status = API.Status.INTERNAL)
  public TrialState trial() {
    return trial;
  }

  /** The current time; no earlier than what the objects tell. */
  @API(status = API.Status.INTERNAL)
  public Instant now() {
    return now;
  }

  /** What isn't known and may lead to another outcome, as sentences without a period. */
  @API(status = API.Status.INTERNAL)
  public List<String> remarks() {
    List<String> found = new ArrayList<>(trial.leftOut());
    Explain.coreNotRunning(input.lease(), now)
        .ifPresent(dead -> found.add(dead + ", so nothing happens before one does"));
    if (input.configuration() == null) {
      found.add(
          "the core's configuration can't be read from here: all supported kinds are taken as managed,"
              + " and its defaults otherwise; give it with --config");
    }
    for (ResourceType<?> type : OPTIONAL) {
      if (objects.unreadable().contains(type)) {
        found.add(
            "%s that can't be read count as absent; that needs list of %s%s"
                .formatted(
                    type.plural(), type.plural(), type.namespaced() ? " in all namespaces" : ""));
      }
    }
    return found;
  }
}
