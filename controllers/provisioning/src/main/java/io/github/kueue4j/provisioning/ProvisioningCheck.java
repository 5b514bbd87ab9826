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
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Cleanup;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.CheckEnvironment;
import io.github.kueue4j.sdk.controller.ResourceClient;
import io.github.kueue4j.sdk.controller.Watch;
import io.github.kueue4j.sdk.controller.Watched;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Duration;
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
public final class ProvisioningCheck implements Check<ProvisioningRequestConfig>, Cleanup {

  private static final Duration AFTER_DELETING = Duration.ofSeconds(2);

  private final Watched<ProvisioningRequest> requests;
  private final Watched<V1PodTemplate> podTemplates;
  private final ResourceClient resources;

  ProvisioningCheck(
      Watched<ProvisioningRequest> requests,
      Watched<V1PodTemplate> podTemplates,
      ResourceClient resources) {
    this.requests = requests;
    this.podTemplates = podTemplates;
    this.resources = resources;
  }

  /**
   * The check as a controller that can still be changed, for example to serve metrics. The cluster
   * must serve {@code autoscaling.x-k8s.io/v1}.
   */
  public static CheckController.Builder builder(
      CheckEnvironment environment, ProvisioningOptions options) {
    CheckController.Builder controller =
        CheckController.builder(options.controllerName(), environment)
            .recheckReadyEvery(options.recheckReadyEvery());
    ProvisioningCheck check =
        new ProvisioningCheck(
            controller.watch(
                Watch.of(KueueTypes.PROVISIONING_REQUEST).wakingOne(ProvisioningCheck::workload)),
            controller.watch(
                Watch.of(CoreTypes.POD_TEMPLATE)
                    .labelled(RequestPlan.MANAGED_LABEL + "=true")
                    .trimmed(ProvisioningCheck::nameOnly)
                    .quietly()),
            controller.resources());
    return controller.check(Parameters.from(KueueTypes.PROVISIONING_REQUEST_CONFIG), check);
  }

  /** The check as a controller, not yet started. */
  public static CheckController controller(
      CheckEnvironment environment, ProvisioningOptions options) {
    return builder(environment, options).build();
  }

  @Override
  public Verdict evaluate(Evaluation<ProvisioningRequestConfig> evaluation) {
    ProvisioningRequestConfigSpec config = evaluation.parameters().spec();
    List<RequestedPodSets.Group> groups = RequestedPodSets.of(evaluation.podSets(), config);
    RequestPlan plan =
        RequestPlan.of(evaluation, config, groups, resources.served(KueueTypes.WORKLOAD));
    Optional<ProvisioningRequest> there = requests.get(plan.key());
    if (evaluation.entry().is(CheckState.READY)) {
      return recheck(evaluation, plan, there);
    }
    if (groups.isEmpty()) {
      return Verdict.ready("the provisioning request is not needed");
    }
    giveUpOtherAttempts(evaluation, plan);
    if (there.isPresent() && !plan.matches(there.get())) {
      return replace(there.get(), plan);
    }
    ProvisioningRequest request =
        there.orElseGet(
            () -> resources.createIfAbsent(KueueTypes.PROVISIONING_REQUEST, plan.request()));
    if (!plan.matches(request)) {
      // Left from a former reservation, and not yet visible in the watch.
      return replace(request, plan);
    }
    Optional<V1PodTemplate> inTheWay = createMissing(plan.podTemplates(request));
    Verdict answer = Answer.of(request, groups, config, evaluation.attempt());
    return inTheWay.isPresent() && answer instanceof Verdict.Pending
        ? replace(inTheWay.get(), plan)
        : answer;
  }

  /** Has a PodTemplate of a former request deleted; its name is needed. */
  private Verdict replace(V1PodTemplate there, RequestPlan plan) {
    if (there.getMetadata().getDeletionTimestamp() == null) {
      if (!plan.isOfFormerRequest(there)) {
        throw new IllegalStateException(
            "the PodTemplate '"
                + ObjectKey.of(there)
                + "' has the name that a new one needs and does not belong to the"
                + " ProvisioningRequest '"
                + plan.key().name()
                + "'; delete it");
      }
      resources.delete(CoreTypes.POD_TEMPLATE, there);
    }
    return Verdict.pending("Replacing a pod template that is out of date.", AFTER_DELETING);
  }

  /** Has a request of a former reservation or workload deleted; its name is needed. */
  private Verdict replace(ProvisioningRequest there, RequestPlan plan) {
    if (there.metadata().getDeletionTimestamp() == null) {
      if (!plan.hasSameOwner(there) && !plan.isOfFormerWorkload(there)) {
        throw new IllegalStateException(
            "the ProvisioningRequest '"
                + there.key()
                + "' has the name that a new request needs and does not belong to this workload;"
                + " delete it");
      }
      resources.delete(KueueTypes.PROVISIONING_REQUEST, there);
    }
    return Verdict.pending("Replacing a provisioning request that is out of date.", AFTER_DELETING);
  }

  /**
   * Their reservation may have ended while no controller ran: without this, they would hold their
   * capacity until the workload ends.
   */
  private void giveUpOtherAttempts(Evaluation<?> evaluation, RequestPlan plan) {
    for (ProvisioningRequest request : requests.list()) {
      if (RequestPlan.isFor(request, evaluation.workload(), evaluation.check())
          && !request.key().equals(plan.key())
          && request.metadata().getDeletionTimestamp() == null) {
        resources.delete(KueueTypes.PROVISIONING_REQUEST, request);
      }
    }
  }

  /** After the last Ready its count is gone, so the request may have any attempt's name. */
  private Verdict recheck(
      Evaluation<ProvisioningRequestConfig> evaluation,
      RequestPlan plan,
      Optional<ProvisioningRequest> there) {
    return there
        .filter(plan::matches)
        .or(() -> consumed(evaluation))
        .map(
            request ->
                Answer.ofConsumed(
                    request,
                    evaluation.parameters().spec(),
                    evaluation.attempt(),
                    evaluation.workload().conditions().admitted()))
        .orElseGet(() -> Verdict.unchanged("The provisioning request is gone."));
  }

  /** Without quota the booking is of no use; its capacity is for other workloads. */
  @Override
  public void cleanUp(Workload workload, Holding holding) {
    for (ProvisioningRequest request : requests.list()) {
      if (RequestPlan.isFor(request, workload, holding.check())
          && !RequestPlan.isOfPresentReservation(request, workload, holding.check())
          && request.metadata().getDeletionTimestamp() == null) {
        resources.delete(KueueTypes.PROVISIONING_REQUEST, request);
      }
    }
  }

  private Optional<ProvisioningRequest> consumed(Evaluation<?> evaluation) {
    return evaluation.entry().podSetUpdates().stream()
        .map(update -> update.annotations().get(Answer.CONSUME))
        .filter(Objects::nonNull)
        .findFirst()
        .flatMap(name -> requests.get(new ObjectKey(evaluation.namespace(), name)));
  }

  /**
   * Creates the templates that are not there.
   *
   * @return one that belongs to another object, such as a deleted request of the same name, and has
   *     to go first; empty if all belong to the request now
   */
  private Optional<V1PodTemplate> createMissing(List<V1PodTemplate> templates) {
    @Nullable V1PodTemplate inTheWay = null;
    for (V1PodTemplate template : templates) {
      boolean there =
          podTemplates
              .get(ObjectKey.of(template))
              .filter(found -> RequestPlan.haveSameOwner(found, template))
              .isPresent();
      if (!there) {
        V1PodTemplate created = resources.createIfAbsent(CoreTypes.POD_TEMPLATE, template);
        if (!RequestPlan.haveSameOwner(created, template)) {
          inTheWay = created;
        }
      }
    }
    return Optional.ofNullable(inTheWay);
  }

  private static @Nullable ObjectKey workload(ProvisioningRequest request) {
    List<V1OwnerReference> owners =
        Objects.requireNonNullElse(request.metadata().getOwnerReferences(), List.of());
    return owners.stream()
        .filter(owner -> "Workload".equals(owner.getKind()))
        .map(owner -> new ObjectKey(request.key().namespace(), owner.getName()))
        .findFirst()
        .orElse(null);
  }

  private static V1PodTemplate nameOnly(V1PodTemplate template) {
    return new V1PodTemplate().metadata(template.getMetadata());
  }
}
