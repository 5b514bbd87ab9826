// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Holding;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ProvisioningRequests and PodTemplates in the cluster: finds, creates and deletes those of the
 * check. An object of another owner is never deleted; where it has the name that is needed, the
 * request and all that belongs to it get another one.
 */
final class RequestStore {

  private final Watched<ProvisioningRequest> requests;
  private final Watched<V1PodTemplate> podTemplates;
  private final ResourceClient resources;
  private final Losses losses = new Losses();

  RequestStore(
      Watched<ProvisioningRequest> requests,
      Watched<V1PodTemplate> podTemplates,
      ResourceClient resources) {
    this.requests = requests;
    this.podTemplates = podTemplates;
    this.resources = resources;
  }

  /** The outcome of the attempt to have the planned objects there. */
  sealed interface Outcome {

    /**
     * The request is there.
     *
     * @param waitsFor what has yet to happen before its PodTemplates are complete; absent: they are
     */
    record There(ProvisioningRequest request, @Nullable String waitsFor) implements Outcome {}

    /**
     * A request of the check itself has to go first.
     *
     * @param outdated of a former reservation or Workload, or for what the configuration said
     *     before
     */
    record NotYet(ProvisioningRequest outdated) implements Outcome {}

    /**
     * Objects of other owners have the names that are needed.
     *
     * @param by one of them, for people
     */
    record Taken(String by) implements Outcome {}

    /**
     * Another client deletes the request as often as it is created.
     *
     * @param pause before it is created again
     */
    record Lost(ObjectKey request, Losses.Pause pause) implements Outcome {}
  }

  /** The request that serves the plan, if it is in sight. */
  Optional<ProvisioningRequest> serving(RequestPlan plan) {
    return requests
        .get(plan.otherKey())
        .filter(plan::isServedBy)
        .or(() -> requests.get(plan.key()).filter(plan::isServedBy));
  }

  Optional<ProvisioningRequest> get(ObjectKey key) {
    return requests.get(key);
  }

  /** Creates what is missing of the plan, and deletes what was there for another. */
  Outcome ensure(RequestPlan plan, Instant now) {
    Outcome outcome = place(plan, now);
    switch (outcome) {
      case Outcome.There there -> deleteOthers(plan, there.request().key());
      case Outcome.NotYet notYet -> {
        if (!Ownership.isGoing(notYet.outdated())) {
          losses.forget(plan.workload(), plan.check());
        }
        delete(notYet.outdated());
        deleteOthers(plan, notYet.outdated().key());
      }
      case Outcome.Taken taken -> {}
      case Outcome.Lost lost -> {}
    }
    return outcome;
  }

  /** Among them those of attempts that ended while no controller ran: they hold capacity. */
  private void deleteOthers(RequestPlan plan, ObjectKey kept) {
    for (ProvisioningRequest request : requests.list()) {
      if (!request.key().equals(kept) && Ownership.isFor(request, plan.workload(), plan.check())) {
        delete(request);
      }
    }
  }

  private Outcome place(RequestPlan plan, Instant now) {
    boolean moved = requests.get(plan.otherKey()).filter(plan::isServedBy).isPresent();
    Outcome usual = moved ? new Outcome.Taken("") : placeAt(plan.key(), plan, now);
    return usual instanceof Outcome.Taken ? placeAt(plan.otherKey(), plan, now) : usual;
  }

  private Outcome placeAt(ObjectKey key, RequestPlan plan, Instant now) {
    Optional<ProvisioningRequest> seen = requests.get(key);
    Optional<Losses.Pause> pause = seen.isPresent() ? Optional.empty() : losses.pause(plan, now);
    if (pause.isPresent()) {
      // What was created last may not be in sight yet.
      seen = resources.get(KueueTypes.PROVISIONING_REQUEST, key);
      if (seen.isEmpty()) {
        return new Outcome.Lost(key, pause.get());
      }
    }
    ProvisioningRequest request = seen.orElseGet(() -> create(key, plan, now));
    if (plan.isServedBy(request)) {
      return placeTemplates(request, plan);
    }
    if (Ownership.isFor(request, plan.workload(), plan.check())
        || Ownership.isForFormer(request, plan.workload(), plan.check())) {
      return new Outcome.NotYet(request);
    }
    return new Outcome.Taken("The ProvisioningRequest " + key);
  }

  private ProvisioningRequest create(ObjectKey key, RequestPlan plan, Instant now) {
    ProvisioningRequest there =
        resources.createIfAbsent(KueueTypes.PROVISIONING_REQUEST, plan.request(key));
    if (plan.isServedBy(there)) {
      losses.created(plan, there, now);
    }
    return there;
  }

  private Outcome placeTemplates(ProvisioningRequest request, RequestPlan plan) {
    @Nullable String waitsFor = null;
    for (V1PodTemplate template : plan.podTemplates(request)) {
      ObjectKey key = ObjectKey.of(template);
      boolean seen =
          podTemplates
              .get(key)
              .filter(there -> Ownership.isOf(there, request) && !Ownership.isGoing(there))
              .isPresent();
      if (seen) {
        continue;
      }
      V1PodTemplate there = resources.createIfAbsent(CoreTypes.POD_TEMPLATE, template);
      if (Ownership.isOf(there, request) && !Ownership.isGoing(there)) {
        continue;
      }
      if (!Ownership.isOf(there, request) && !Ownership.isOfFormer(there, request)) {
        if (request.key().equals(plan.key())) {
          // An autoscaler would provide for the pods of the other owner's template.
          losses.forget(plan.workload(), plan.check());
          delete(request);
        }
        return new Outcome.Taken("The PodTemplate " + key);
      }
      if (!Ownership.isGoing(there)) {
        resources.delete(CoreTypes.POD_TEMPLATE, there);
      }
      waitsFor = "Replacing a pod template that is out of date: " + key + " has to go first.";
    }
    return new Outcome.There(request, waitsFor);
  }

  /** The holdings for which there are requests, as far as they carry the check's marks. */
  List<Holding> holdings() {
    return requests.list().stream().flatMap(one -> Ownership.holding(one).stream()).toList();
  }

  /** Deletes all requests of this Workload and check. */
  void deleteAll(Workload workload, String check) {
    losses.forget(workload, check);
    for (ProvisioningRequest request : requests.list()) {
      if (Ownership.isFor(request, workload, check)) {
        delete(request);
      }
    }
  }

  /** Deletes the requests of this Workload and check whose reservation is over. */
  void deleteUnneeded(Workload workload, String check) {
    losses.forget(workload, check);
    for (ProvisioningRequest request : requests.list()) {
      if (Ownership.isFor(request, workload, check)
          && !Ownership.isNeeded(request, workload, check)) {
        delete(request);
      }
    }
  }

  /** The Workload is gone, and its requests with it. */
  void forget(Holding holding) {
    losses.forget(holding.uid(), holding.check());
  }

  private void delete(ProvisioningRequest request) {
    if (!Ownership.isGoing(request)) {
      resources.delete(KueueTypes.PROVISIONING_REQUEST, request);
    }
  }
}
