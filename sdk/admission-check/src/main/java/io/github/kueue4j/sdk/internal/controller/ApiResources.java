// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.objects.ConflictException;
import io.github.kueue4j.sdk.objects.ForbiddenException;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The resource client on a live API server. */
record ApiResources(KubernetesApi api, ServedVersion served) implements ResourceClient {

  /** In a patch, null removes. */
  private static final Gson WITH_NULLS = new GsonBuilder().serializeNulls().create();

  @Override
  public <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
    return served.of(type);
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    try {
      return answered(() -> api.get(served.of(type), key));
    } catch (KubernetesApiException.Forbidden e) {
      throw new ForbiddenException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object) {
    DryEvaluator.mayWrite();
    return answered(
        () -> {
          Optional<T> there = createOrGet(type, object);
          // Deleted in between, such as by the garbage collector: now the name is free.
          return there.isPresent() ? there.get() : api.create(served.of(type), object);
        });
  }

  private <T extends KubernetesObject> Optional<T> createOrGet(ResourceType<T> type, T object) {
    try {
      return Optional.of(api.create(served.of(type), object));
    } catch (KubernetesApiException.AlreadyExists e) {
      return api.get(served.of(type), ObjectKey.of(object));
    }
  }

  @Override
  public <T extends KubernetesObject> T patch(
      ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> change) {
    DryEvaluator.mayWrite();
    return unlessChanged(
        type, seen, () -> api.patch(served.of(type), ObjectKey.of(seen), guarded(seen, change)));
  }

  @Override
  public <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> status) {
    DryEvaluator.mayWrite();
    if (type.equals(KueueTypes.WORKLOAD) || type.equals(KueueTypes.ADMISSION_CHECK)) {
      throw new IllegalArgumentException(
          "the status of a " + type.kind() + " is written by the controller; return a Verdict");
    }
    return unlessChanged(
        type,
        seen,
        () ->
            api.patchStatus(
                served.of(type), ObjectKey.of(seen), guarded(seen, Map.of("status", status))));
  }

  /** A merge patch that the server refuses if the object has another version. */
  private static MergePatch guarded(
      KubernetesObject seen, Map<String, ? extends @Nullable Object> change) {
    JsonObject document = WITH_NULLS.toJsonTree(change).getAsJsonObject();
    if (!(document.get("metadata") instanceof JsonObject)) {
      document.add("metadata", new JsonObject());
    }
    document
        .getAsJsonObject("metadata")
        .addProperty("resourceVersion", seen.getMetadata().getResourceVersion());
    return new MergePatch(document);
  }

  private static <A> A unlessChanged(
      ResourceType<?> type, KubernetesObject seen, Supplier<A> request) {
    try {
      return answered(request);
    } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
      throw new ConflictException(
          "the %s '%s' was changed or deleted since it was read"
              .formatted(type.kind(), ObjectKey.of(seen)),
          e);
    }
  }

  @Override
  public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
    DryEvaluator.mayWrite();
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

  @Override
  public <T extends KubernetesObject> boolean deleteUnchanged(ResourceType<T> type, T seen) {
    DryEvaluator.mayWrite();
    return unlessChanged(
        type,
        seen,
        () ->
            api.delete(
                served.of(type),
                ObjectKey.of(seen),
                DeleteOptions.background()
                    .withUid(seen.getMetadata().getUid())
                    .withResourceVersion(seen.getMetadata().getResourceVersion())));
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
