// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfig;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster autoscaler for capacity, once per reservation of a workload, and answers Ready
 * when it is provisioned. Parameters: a {@code ProvisioningRequestConfig}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProvisioningCheck implements Check<ProvisioningRequestConfigSpec>, Cleanup {

  /** What is written about a configuration, such as a label, is no change of it. */
  static final Parameters<ProvisioningRequestConfigSpec> PARAMETERS =
      Parameters.from(KueueTypes.PROVISIONING_REQUEST_CONFIG, ProvisioningRequestConfig::spec);

  private static final Duration AFTER_DELETING = Duration.ofSeconds(2);

  /** Objects of other owners are not watched. */
  private static final Duration WHILE_TAKEN = Duration.ofSeconds(30);

  private static final Reason INVALID = Reason.of("InvalidParameters");

  private final Failures failures = new Failures();
  private final RequestStore store;
  private final ResourceClient resources;

  ProvisioningCheck(
      Watched<ProvisioningRequest> requests,
      Watched<V1PodTemplate> podTemplates,
      ResourceClient resources) {
    this.store = new RequestStore(requests, podTemplates, resources);
    this.resources = resources;
  }

  /**
   * The check as a controller that can still be changed, for example to serve metrics. Its
   * AdmissionChecks are Active once the cluster serves {@code autoscaling.x-k8s.io/v1}.
   */
  public static CheckController.Builder builder(
      CheckEnvironment environment, ProvisioningOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment)
            .namesDelays()
            .recheckReadyEvery(options.recheckReadyEvery());
    Watched<ProvisioningRequest> requests =
        controller.watch(
            Watch.of(KueueTypes.PROVISIONING_REQUEST)
                .wakingOne(ProvisioningCheck::workload)
                .whenServed());
    Watched<V1PodTemplate> podTemplates =
        controller.watch(
            Watch.of(CoreTypes.POD_TEMPLATE)
                .labelled(RequestPlan.MANAGED_LABEL + "=true")
                .trimmed(ProvisioningCheck::nameOnly)
                .quietly());
    return controller
        .measure(registry -> RequestState.measure(requests, registry))
        .check(PARAMETERS, new ProvisioningCheck(requests, podTemplates, controller.resources()));
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(
      CheckEnvironment environment, ProvisioningOptions options) {
    return builder(environment, options).build();
  }

  @Override
  public Verdict evaluate(Evaluation<ProvisioningRequestConfigSpec> evaluation) {
    ProvisioningRequestConfigSpec config = evaluation.parameters();
    List<RequestedPodSets.Group> groups = RequestedPodSets.of(evaluation.podSets(), config);
    RequestPlan plan =
        RequestPlan.of(evaluation, config, groups, resources.served(KueueTypes.WORKLOAD));
    if (evaluation.entry().is(CheckState.READY)) {
      return recheck(evaluation, plan);
    }
    int failedBefore = failures.before(evaluation);
    if (groups.isEmpty()) {
      store.deleteAll(evaluation.workload(), evaluation.check());
      return Verdict.ready("the provisioning request is not needed");
    }
    Optional<String> fault = plan.fault();
    if (fault.isPresent()) {
      return Verdict.rejected(INVALID, fault.get());
    }
    return switch (store.ensure(plan, evaluation.now())) {
      case RequestStore.Outcome.There there -> {
        Verdict answer = answer(there, plan, failedBefore);
        if (answer instanceof Verdict.Retry retry && retry.reason().equals(Answer.FAILED)) {
          failures.failed(evaluation);
        }
        yield answer;
      }
      case RequestStore.Outcome.NotYet notYet ->
          Verdict.pending(
              "Replacing a provisioning request that is out of date: "
                  + notYet.outdated().key()
                  + " has to go first.",
              AFTER_DELETING);
      case RequestStore.Outcome.Taken taken ->
          Verdict.pending(
              taken.by() + " has the name that a new one needs and another owner: delete it.",
              WHILE_TAKEN);
      case RequestStore.Outcome.Lost lost -> Verdict.pending(wording(lost), lost.pause().left());
    };
  }

  @Override
  public List<String> remarks(ProvisioningRequestConfigSpec config, Circumstances at) {
    return ConfigRemarks.of(config, at);
  }

  private static String wording(RequestStore.Outcome.Lost lost) {
    return "The ProvisioningRequest "
        + lost.request()
        + " was deleted "
        + lost.pause().times()
        + " times by another client, and is created again after a pause. If another provisioning"
        + " controller runs, such as Kueue's own, take its right to delete ProvisioningRequests"
        + " away.";
  }

  private static Verdict answer(
      RequestStore.Outcome.There there, RequestPlan plan, int failedBefore) {
    Verdict answer = Answer.of(there.request(), plan.groups(), plan.config(), failedBefore);
    return there.waitsFor() != null && answer instanceof Verdict.Pending
        ? Verdict.pending(there.waitsFor(), AFTER_DELETING)
        : answer;
  }

  /**
   * After the last Ready its count is gone, and the configuration may be another one: what the pods
   * consume counts.
   */
  private Verdict recheck(Evaluation<ProvisioningRequestConfigSpec> evaluation, RequestPlan plan) {
    return consumed(evaluation)
        .or(() -> store.serving(plan))
        .map(request -> Answer.ofConsumed(request, plan.config(), () -> admitted(evaluation)))
        .orElseGet(() -> Verdict.unchanged("The provisioning request is gone."));
  }

  /** Asks the server as well: the watch of Workloads may lag behind that of requests. */
  private boolean admitted(Evaluation<?> evaluation) {
    Workload seen = evaluation.workload();
    return seen.conditions().admitted()
        || resources
            .get(KueueTypes.WORKLOAD, ObjectKey.of(seen))
            .filter(live -> Uids.of(live).equals(Uids.of(seen)))
            .filter(live -> live.conditions().admitted())
            .isPresent();
  }

  private Optional<ProvisioningRequest> consumed(Evaluation<?> evaluation) {
    return evaluation.entry().podSetUpdates().stream()
        .map(update -> update.annotations().get(Answer.CONSUME))
        .filter(Objects::nonNull)
        .findFirst()
        .flatMap(name -> store.get(new ObjectKey(evaluation.namespace(), name)))
        .filter(request -> Ownership.isFor(request, evaluation.workload(), evaluation.check()));
  }

  /** Without quota the booking is of no use; its capacity is for other workloads. */
  @Override
  public void cleanUp(Workload workload, Holding holding) {
    store.deleteUnneeded(workload, holding.check());
  }

  @Override
  public void cleanUpDeleted(Holding holding) {
    store.forget(holding);
  }

  /** A queue may have dropped the check while no controller ran. */
  @Override
  public Collection<Holding> owned() {
    return store.holdings();
  }

  private static @Nullable ObjectKey workload(ProvisioningRequest request) {
    return Ownership.workload(request).orElse(null);
  }

  private static V1PodTemplate nameOnly(V1PodTemplate template) {
    return new V1PodTemplate().metadata(template.getMetadata());
  }
}
