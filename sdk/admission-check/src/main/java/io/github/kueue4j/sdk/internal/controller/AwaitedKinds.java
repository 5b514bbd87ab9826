// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.objects.Watch;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds that a controller waits for. While one of {@link Watch#whenServed} is missing, the
 * controller runs, and its AdmissionChecks are not Active; while that of parameters is missing that
 * need not be given, this concerns those AdmissionChecks only that refer to one.
 */
final class AwaitedKinds {

  /** How often the server is asked for a kind that it didn't serve. */
  static final Duration ASK_EVERY = Duration.ofSeconds(30);

  private static final Duration READING = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(AwaitedKinds.class);

  private final KubernetesApi api;
  private final List<AwaitedInformer<?>> required = new CopyOnWriteArrayList<>();
  private final List<AwaitedInformer<?>> kinds = new CopyOnWriteArrayList<>();
  private Instant askAgain = Instant.MIN; // Guarded by this object's monitor.

  AwaitedKinds(KubernetesApi api) {
    this.api = api;
  }

  /** An informer that is registered once its kind is served. */
  <T extends KubernetesObject> AwaitedInformer<T> await(
      ResourceType<T> type, Supplier<Informer<T>> registration) {
    AwaitedInformer<T> kind = awaitOptional(type, registration);
    required.add(kind);
    return kind;
  }

  /** The same of a kind that only some of the AdmissionChecks need. */
  <T extends KubernetesObject> AwaitedInformer<T> awaitOptional(
      ResourceType<T> type, Supplier<Informer<T>> registration) {
    AwaitedInformer<T> kind = new AwaitedInformer<>(type, registration);
    kinds.add(kind);
    return kind;
  }

  /** What is missing for all AdmissionChecks and what to do about it; empty if nothing is. */
  Optional<String> missing() {
    for (AwaitedInformer<?> kind : required) {
      if (!kind.isThere()) {
        return Optional.of(
            "the API server does not serve %s in the version %s: install what brings this kind; the check waits for it"
                .formatted(kind.type().qualifiedName(), kind.type().version()));
      }
      if (!kind.synced()) {
        return Optional.of("the " + kind.type().qualifiedName() + " are being read");
      }
    }
    return Optional.empty();
  }

  /**
   * Asks the server for what is missing, unless it was asked a moment ago.
   *
   * @param time isn't set back or forward
   */
  synchronized void look(InstantSource time) {
    if (kinds.stream().allMatch(AwaitedInformer::isThere) || time.instant().isBefore(askAgain)) {
      return;
    }
    askAgain = time.instant().plus(ASK_EVERY);
    for (AwaitedInformer<?> kind : kinds) {
      if (!kind.isThere() && isServed(kind)) {
        kind.appear();
      }
    }
  }

  /** When to look again, by the same time; empty if nothing is missing. */
  synchronized Optional<Instant> next(InstantSource time) {
    if (kinds.stream().allMatch(AwaitedInformer::synced)) {
      return Optional.empty();
    }
    return Optional.of(
        kinds.stream().allMatch(AwaitedInformer::isThere)
            ? time.instant().plus(READING)
            : askAgain);
  }

  private boolean isServed(AwaitedInformer<?> kind) {
    try {
      return api.serves(kind.type());
    } catch (KubernetesApiException e) {
      log.atDebug()
          .addKeyValue("kind", kind.type().qualifiedName())
          .addKeyValue("cause", e.getMessage())
          .log("Could not ask the API server whether it serves a kind; asking again later");
      return false;
    }
  }
}
