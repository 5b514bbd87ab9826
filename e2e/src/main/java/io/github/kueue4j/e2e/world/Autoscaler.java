// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestPodSet;
import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster autoscaler that answers ProvisioningRequests: accepted at once, provisioned after a
 * while by a node of exactly the requested size. Parameters of the request steer it.
 */
final class Autoscaler implements Reconciler {
  /** Parameter: how long provisioning takes; default 5m. */
  static final String TAKES = "simulation.kueue4j.io/takes";

  /** Parameter: the first so many attempts fail for lack of capacity; default 0. */
  static final String FAILS = "simulation.kueue4j.io/fails";

  private static final Duration DEFAULT_TAKES = Duration.ofMinutes(5);
  private static final String ACCEPTED = "Accepted";
  private static final String PROVISIONED = "Provisioned";
  private static final String FAILED = "Failed";

  private final KubernetesApi api;
  private final TimeSource time;

  Autoscaler(KubernetesApi api, TimeSource time) {
    this.api = api;
    this.time = time;
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    Optional<ProvisioningRequest> found = api.get(KueueTypes.PROVISIONING_REQUEST, key);
    if (found.isEmpty() || isAnswered(found.get())) {
      return Requeue.never();
    }
    ProvisioningRequest request = found.get();
    Instant now = time.instant();
    Optional<Condition> accepted = Conditions.find(request.status().conditions(), ACCEPTED);
    if (accepted.isEmpty()) {
      answer(request, ACCEPTED, "Accepted", "The request was accepted.", now);
      return Requeue.after(takes(request));
    }
    Instant due = accepted.get().lastTransitionTime().plus(takes(request));
    if (now.isBefore(due)) {
      return Requeue.at(due);
    }
    if (attempt(key.name()) <= failures(request)) {
      answer(request, FAILED, "OutOfResources", "No capacity in the zone.", now);
    } else {
      addNodes(request);
      answer(request, PROVISIONED, "Provisioned", "Capacity was provisioned.", now);
    }
    return Requeue.never();
  }

  private static boolean isAnswered(ProvisioningRequest request) {
    return request.metadata().getDeletionTimestamp() != null
        || Conditions.isTrue(request.status().conditions(), PROVISIONED)
        || Conditions.isTrue(request.status().conditions(), FAILED);
  }

  private static Duration takes(ProvisioningRequest request) {
    return Optional.ofNullable(request.spec().parameters().get(TAKES))
        .map(GoDuration::parse)
        .orElse(DEFAULT_TAKES);
  }

  private static int failures(ProvisioningRequest request) {
    return Integer.parseInt(request.spec().parameters().getOrDefault(FAILS, "0"));
  }

  /** The attempt is the last part of the name: {@code job-render-provisioning-2}. */
  private static int attempt(String name) {
    String last = name.substring(name.lastIndexOf('-') + 1);
    return last.matches("[0-9]{1,4}") ? Integer.parseInt(last) : Integer.MAX_VALUE;
  }

  private void answer(
      ProvisioningRequest request, String type, String reason, String message, Instant now) {
    ProvisioningRequest after =
        request.withStatus(
            request
                .status()
                .withConditions(
                    Conditions.set(
                        request.status().conditions(),
                        Condition.isTrue(type, reason, message, now))));
    api.patchStatus(KueueTypes.PROVISIONING_REQUEST, GuardedPatch.ofStatus(request, after));
  }

  private void addNodes(ProvisioningRequest request) {
    int index = 0;
    for (ProvisioningRequestPodSet podSet : request.spec().podSets()) {
      ObjectKey template =
          new ObjectKey(
              Objects.requireNonNullElse(request.metadata().getNamespace(), ""),
              podSet.podTemplateRef().name());
      Optional<V1PodTemplate> found = api.get(CoreTypes.POD_TEMPLATE, template);
      if (found.isPresent()
          && found.get().getTemplate() != null
          && found.get().getTemplate().getSpec() != null) {
        addNode(request, index++, found.get().getTemplate().getSpec(), podSet.count());
      }
    }
  }

  private void addNode(ProvisioningRequest request, int index, V1PodSpec spec, int pods) {
    Map<String, String> labels = new HashMap<>();
    if (spec.getNodeSelector() != null) {
      labels.putAll(spec.getNodeSelector());
    }
    Map<String, Quantity> size = new HashMap<>();
    size.put("pods", new Quantity("110"));
    Placement.requests(spec)
        .forEach(
            (name, amount) ->
                size.put(
                    name,
                    new Quantity(
                        amount.multiply(BigDecimal.valueOf(pods)), Quantity.Format.DECIMAL_SI)));
    String name = request.key().name() + "-node-" + index;
    V1Node node =
        new V1Node()
            .metadata(new V1ObjectMeta().name(name.toLowerCase(Locale.ROOT)).labels(labels));
    SimulatedNodes.create(api, node, new V1NodeStatus().allocatable(size).capacity(size));
  }
}
