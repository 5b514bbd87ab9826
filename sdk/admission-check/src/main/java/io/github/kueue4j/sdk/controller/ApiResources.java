// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.function.Supplier;

/** The resource client on a live API server. */
record ApiResources(KubernetesApi api, ServedVersion served) implements ResourceClient {

  @Override
  public <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
    return served.of(type);
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    return answered(() -> api.get(served.of(type), key));
  }

  @Override
  public <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object) {
    return answered(
        () -> {
          try {
            return api.create(served.of(type), object);
          } catch (KubernetesApiException.AlreadyExists e) {
            // Deleted again in between: the original refusal is what the caller can act on.
            return api.get(served.of(type), ObjectKey.of(object)).orElseThrow(() -> e);
          }
        });
  }

  @Override
  public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
    try {
      return answered(
          () ->
              api.delete(
                  served.of(type),
                  ObjectKey.of(object),
                  DeleteOptions.background().withUid(object.getMetadata().getUid())));
    } catch (KubernetesApiException.Conflict e) {
      // Another object has its name by now, so this one is gone.
      return false;
    }
  }

  private static <T> T answered(Supplier<T> request) {
    try {
      return request.get();
    } catch (KubernetesApiException e) {
      throw concernsAll(e)
          ? new BackendUnavailableException("the API server can't answer: " + e.getMessage(), e)
          : e;
    }
  }

  /** Not so a refusal of one object, nor a 500, which a webhook for it may have caused. */
  static boolean concernsAll(KubernetesApiException e) {
    return switch (e) {
      case KubernetesApiException.Unreachable unreachable -> true;
      case KubernetesApiException.TooManyRequests busy -> true;
      case KubernetesApiException.Unauthorized unauthorized -> true;
      case KubernetesApiException.ServerFailure failure -> failure.code() > 500;
      case KubernetesApiException.LeaseInvalid lease -> false;
      case KubernetesApiException.NotFound notFound -> false;
      case KubernetesApiException.AlreadyExists exists -> false;
      case KubernetesApiException.Conflict conflict -> false;
      case KubernetesApiException.Invalid invalid -> false;
      case KubernetesApiException.BadRequest badRequest -> false;
      case KubernetesApiException.Forbidden forbidden -> false;
      case KubernetesApiException.Gone gone -> false;
      case KubernetesApiException.Malformed malformed -> false;
    };
  }
}
