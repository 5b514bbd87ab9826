/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import com.google.gson.JsonElement;
import io.github.kueue4j.api.KubeList;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.informer.exception.WatchExpiredException;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watchable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches for the client library's reflector, which itself neither backs off nor notices
 * a dead connection: all of that happens in here.
 */
final class WatchSource<T extends KubernetesObject> implements ListerWatcher<T, KubeList<T>> {

  private static final Logger log = LoggerFactory.getLogger(WatchSource.class);

  private final ResourceType<T> type;
  private final ListOptions selection;
  private final Trim<T> trim;
  private final TimeSource time;
  private final ApiTransport calls;
  private final ApiTransport watches;
  private final HttpApi api;
  private final WatchPulse pulse;
  private final Function<ObjectKey, Optional<T>> known;
  private volatile boolean stopped;

  /**
   * A source for one informer.
   *
   * @param known the informer's present view of an object
   */
  WatchSource(
      ClusterConnection connection,
      Informers.Spec<T> spec,
      WatchPulse pulse,
      Function<ObjectKey, Optional<T>> known) {
    this.known = known;
    this.type = spec.type();
    this.selection = spec.selection();
    this.trim = spec.trim();
    this.time = connection.wireTime();
    this.calls = connection.callsOf(this);
    this.watches = connection.watchesOf(this);
    this.api = new HttpApi(calls);
    this.pulse = pulse;
  }

  /**
   * Reads the whole list, consistently.
   *
   * @param ignored the reflector would ask for "any version not older than the last": that may be
   *     answered from a cache that lags, and without pages
   */
  @Override
  public KubeList<T> list(CallGeneratorParams ignored) {
    pauseAfterFailures();
    // An object that is there and can't be read any more has not been deleted.
    ResourceList<T> all = api.list(type, selection, known);
    List<T> items = new ArrayList<>(all.items().size());
    all.items().forEach(item -> trimmed(item).ifPresent(items::add));
    pulse.listed();
    return new KubeList<>(
        type.apiVersion(),
        type.kind() + "List",
        new V1ListMeta().resourceVersion(all.resourceVersion()),
        items);
  }

  /** Opens a watch; keeps trying as long as the server is merely unable to answer. */
  @Override
  public Watchable<T> watch(CallGeneratorParams params) {
    while (true) {
      pauseAfterFailures();
      try {
        return open(params.resourceVersion, params.timeoutSeconds);
      } catch (KubernetesApiException.Gone e) {
        pulse.failed(HttpApi.describe(e));
        throw new WatchExpiredException();
      } catch (KubernetesApiException.Unreachable
          | KubernetesApiException.ServerFailure
          | KubernetesApiException.TooManyRequests e) {
        pulse.failed(e);
        log.atDebug()
            .addKeyValue("resource", type.qualifiedName())
            .addKeyValue("cause", HttpApi.describe(e))
            .log("The watch could not be opened; it will be tried again");
      }
    }
  }

  private Watchable<T> open(@Nullable String version, @Nullable Integer timeoutSeconds) {
    String what = "watch " + type.qualifiedName();
    Map<String, String> query = HttpApi.selection(selection);
    query.put("watch", "true");
    query.put("allowWatchBookmarks", "true");
    query.put("resourceVersion", version == null ? "" : version);
    if (timeoutSeconds != null) {
      query.put("timeoutSeconds", timeoutSeconds.toString());
    }
    Call call =
        watches.newCall(
            watches.request("GET", HttpApi.path(type, selection), query, null, HttpApi.JSON));
    pulse.opening(call);
    if (stopped) {
      // The stop may have come before the pulse knew this call.
      throw new StoppedException();
    }
    Response response = watches.open(call, what);
    if (stopped) {
      call.cancel();
      response.close();
      throw new StoppedException();
    }
    pulse.opened();
    return new WatchStream<>(call, response, this::read, pulse, time);
  }

  /** A bookmark is an object without anything but its version: not one for the user's transform. */
  private Optional<T> read(String event, JsonElement object) {
    Optional<T> read = HttpApi.parseItem(type, object);
    return event.equals("BOOKMARK") ? read : read.flatMap(this::trimmed);
  }

  /** Drops the managed fields, which nobody here reads, and applies the user's transform. */
  private Optional<T> trimmed(T object) {
    if (object.getMetadata() != null) {
      object.getMetadata().setManagedFields(null);
    }
    try {
      return Optional.of(trim.apply(object, known.apply(ObjectKey.of(object))));
    } catch (RuntimeException e) {
      log.atError()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("object", ObjectKey.of(object))
          .setCause(e)
          .log("Left out an object because the informer's transform failed on it");
      return Optional.empty();
    }
  }

  private void pauseAfterFailures() {
    try {
      if (!stopped && WireWait.pause(time, pulse.pause()) && !stopped) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new StoppedException();
  }

  /**
   * Ends requests and watches under way and refuses new ones. A watch whose answer has begun isn't
   * among the HTTP client's running calls any more, so the pulse has to cut it.
   */
  void stop() {
    stopped = true;
    calls.cancelAll();
    watches.cancelAll();
    pulse.cut();
  }

  boolean isStopped() {
    return stopped;
  }

  /** The informer is stopping; unwinds the reflector's loop. */
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("the informer is stopped");
    }
  }
}
