// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.approvalcheck.ApprovalSpec;
import io.github.kueue4j.approvalcheck.Rulings;
import io.github.kueue4j.approvalcheck.Standing;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1SelfSubjectReview;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Creates an Approval of a Workload that waits for one. */
abstract class DecisionCommand implements Callable<Integer> {
  private static final String NEEDS =
      "deciding needs get and list of Workloads, list of AdmissionChecks (or --check), and create"
          + " and list of approvals.checks.kueue4j.io";

  /** API servers cut longer ones, once they have found the whole to be a name. */
  private static final int LONGEST_STEM = 57;

  @Mixin private WorkloadArgument argument = new WorkloadArgument();

  @Option(
      names = "--check",
      paramLabel = "NAME",
      description = "the AdmissionCheck that asks (default: the one that the Workload waits for)")
  private @Nullable String check;

  @Option(
      names = "--generation",
      paramLabel = "NUMBER",
      description =
          "that of the Workload which was looked at, as 'approvals -o json' prints it: refuses one"
              + " that was changed since (default: as it is now)")
  private @Nullable Long generation;

  @Mixin private KueueCluster cluster = new KueueCluster();

  private final Class<? extends Standing> standsAs;
  private final String word;
  private final String instead;

  /**
   * @param standsAs what a Workload's Approvals say where a decision of this command counts
   * @param word what the Workload is then
   * @param instead what can be done about a decision that is there already, as the end of a message
   */
  DecisionCommand(Class<? extends Standing> standsAs, String word, String instead) {
    this.standsAs = standsAs;
    this.word = word;
    this.instead = instead;
  }

  /** The decision, as the fields of an Approval beside the Workload, the check and the user. */
  abstract Map<String, String> decision(Instant now);

  /** Whether this says again what holds already. */
  boolean repeats(Standing standing, Instant now) {
    return standsAs.isInstance(standing);
  }

  @Override
  public final Integer call() throws InterruptedException {
    return cluster.use(NEEDS, this::decide);
  }

  private int decide(ClusterConnection connection, PrintWriter out) {
    KubernetesApi api = connection.api();
    Instant now = TimeSource.wallClock().instant();
    Map<String, String> decision = decision(now);
    Workload workload = argument.find(connection);
    refuseUndecidable(workload);
    ApprovalChecks checks = checks(api);
    List<CustomResource<ApprovalSpec>> all =
        new ArrayList<>(
            api.list(ApprovalSpec.TYPE, ListOptions.inNamespace(workload.key().namespace()))
                .items());
    Rulings before = Rulings.of(all);
    String chosen =
        checks.choose(
            workload,
            Optional.ofNullable(check),
            asked -> !repeats(checks.standing(workload, asked, before, now), now));
    Standing standing = checks.standing(workload, chosen, before, now);
    if (repeats(standing, now)) {
      throw new UserError(
          workload.key()
              + " was decided about already: "
              + withoutStop(standing)
              + "; 'kubectl get approvals -n "
              + workload.key().namespace()
              + "' lists it, and "
              + instead);
    }
    CustomResource<ApprovalSpec> created =
        api.create(ApprovalSpec.TYPE, approval(workload, chosen, user(api), decision));
    all.add(created);
    Standing after = checks.standing(workload, chosen, Rulings.of(all), now);
    if (!standsAs.isInstance(after)) {
      throw new UserError(
          created.getMetadata().getName()
              + " was written, and another decision of the same second counts: "
              + withoutStop(after)
              + "; repeat the command");
    }
    out.println(
        workload.key()
            + " is "
            + word
            + " for "
            + chosen
            + " by "
            + created.spec().by()
            + created.spec().until().map(end -> " until " + end).orElse("")
            + " ("
            + created.getMetadata().getName()
            + "), as it is now: "
            + workload.spec().podSets().stream()
                .map(podSet -> podSet.count() + " pods in " + podSet.name())
                .collect(Collectors.joining(", ")));
    return 0;
  }

  private static String withoutStop(Standing standing) {
    return standing.summary().replaceFirst("[.]$", "");
  }

  private void refuseUndecidable(Workload workload) {
    if (generation != null && !generation.equals(workload.metadata().getGeneration())) {
      throw new UserError(
          "--generation is %s, and the Workload %s was changed since: it has %s; look at it again"
              .formatted(generation, workload.key(), workload.metadata().getGeneration()));
    }
    if (workload.conditions().finished()) {
      throw new UserError("the Workload " + workload.key() + " has finished");
    }
    if (!workload.spec().active()) {
      throw new UserError(
          "the Workload "
              + workload.key()
              + " is stopped, and a decision is about it as it is now; 'workload resume' has it"
              + " wait again");
    }
    if (workload.conditions().admitted() && workload.conditions().holdsQuota()) {
      throw new UserError(
          "the Workload "
              + workload.key()
              + " is admitted, and an approval is for the start; 'workload stop' stops it");
    }
  }

  private ApprovalChecks checks(KubernetesApi api) {
    try {
      return ApprovalChecks.read(api);
    } catch (KubernetesApiException.Forbidden e) {
      if (check == null) {
        throw e;
      }
      ApprovalChecks.requireApprovals(api);
      return ApprovalChecks.named(check);
    }
  }

  private static String user(KubernetesApi api) {
    V1SelfSubjectReview review =
        api.create(
            CoreTypes.SELF_SUBJECT_REVIEW, new V1SelfSubjectReview().metadata(new V1ObjectMeta()));
    return Objects.requireNonNull(
        Objects.requireNonNull(Objects.requireNonNull(review.getStatus()).getUserInfo())
            .getUsername());
  }

  /**
   * The name without its end; cutting may leave a dot at the end, after which no hyphen may come.
   */
  static String stem(String name) {
    return name.substring(0, Math.min(name.length(), LONGEST_STEM)).replaceFirst("[-.]+$", "");
  }

  private static CustomResource<ApprovalSpec> approval(
      Workload workload, String check, String by, Map<String, String> decision) {
    String name = workload.key().name();
    String uid = Objects.requireNonNull(workload.metadata().getUid());
    Map<String, Object> spec = new TreeMap<>(decision);
    spec.put("check", check);
    spec.put("by", by);
    spec.put(
        "workload",
        Map.of(
            "name",
            name,
            "uid",
            uid,
            "generation",
            Objects.requireNonNull(workload.metadata().getGeneration())));
    return CustomResource.of(
        ApprovalSpec.TYPE,
        new V1ObjectMeta()
            .namespace(workload.key().namespace())
            .generateName(stem(name) + '-')
            .ownerReferences(
                List.of(
                    new V1OwnerReference()
                        .apiVersion(KueueTypes.WORKLOAD.apiVersion())
                        .kind(KueueTypes.WORKLOAD.kind())
                        .name(name)
                        .uid(uid))),
        spec);
  }
}
