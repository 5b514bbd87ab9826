// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.kueue4j.api.KubeList;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.TimedWait;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.informer.exception.WatchExpiredException;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import okhttp3.Call;
import okhttp3.Response;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches for the client library's reflector. Implements backoff and the detection of
 * dead connections, which the reflector lacks.
 */
@API(status = API.Status.INTERNAL)
public final class WatchSource<T extends KubernetesObject>
    implements ListerWatcher<T, KubeList<T>> {

  private static final Logger log = LoggerFactory.getLogger(WatchSource.class);

  private static final String DELETED = "DELETED";
  private static final String BOOKMARK = "BOOKMARK";

  /** In seconds; up to twice as much, so that the watches of a process don't end simultaneously. */
  private static final int SHORTEST_WATCH = 300;

  private static final String INCOMPLETE = "the event is no JSON object with an object in it";

  /** Marks, within this process, an object of which only the identity is known. */
  private static final String ONLY_IDENTITY = "kueue4j.io/only-identity";

  private final ResourceType<T> type;
  private final ListOptions selection;
  private final BiFunction<T, Optional<T>, T> trim;
  private final KindPresence presence;
  private final TimeSource time;
  private final ApiTransport calls;
  private final ApiTransport watches;
  private final HttpApi api;
  private final WatchPulse pulse;
  private final ItemReader<T> reader;
  private final UnreadableObjects unreadable = new UnreadableObjects();
  private final Function<ObjectKey, Optional<T>> known;
  private final RandomGenerator random;
  private volatile boolean stopped;

  /**
   * A source for one informer.
   *
   * @param selection the objects to list and watch
   * @param trim reduces an object that was read, given the cached state of it
   * @param dispensable empty if the server must serve the type; otherwise whether nothing depends
   *     on its objects, so that this account need not be allowed to list them
   * @param known the informer's cached state of an object
   * @param cached how many objects the informer has
   */
  public WatchSource(
      ClusterConnection connection,
      ResourceType<T> type,
      ListOptions selection,
      BiFunction<T, Optional<T>, T> trim,
      Optional<BooleanSupplier> dispensable,
      Function<ObjectKey, Optional<T>> known,
      IntSupplier cached) {
    this.known = known;
    this.random = connection.random();
    this.type = type;
    this.reader = new ItemReader<>(type);
    this.selection = selection;
    this.trim = trim;
    this.time = connection.wireTime();
    this.presence = new KindPresence(type, dispensable, time, cached);
    this.calls = connection.callsOf(this);
    this.watches = connection.watchesOf(this);
    this.api = new HttpApi(calls);
    this.pulse = new WatchPulse(time, random);
  }

  /**
   * Reads a complete, consistent list; an empty one of an optional type that is confirmed not to be
   * served.
   *
   * @param ignored the reflector would request "any version not older than the last", which the
   *     server may answer from a lagging cache and without pages
   */
  @Override
  public KubeList<T> list(CallGeneratorParams ignored) {
    pauseAfterFailures();
    Set<ObjectKey> odd = new HashSet<>();
    ResourceList<T> all;
    try {
      all = api.list(type, selection, item -> listed(item, odd));
      if (!presence.listed(api.inUse(type), api)) {
        all = nothing();
      }
    } catch (KubernetesApiException e) {
      if (!presence.isAbsent(e, api)) {
        if (presence.isMissing()) {
          pulse.nothingToHear();
        }
        throw e;
      }
      all = nothing();
    }
    unreadable.only(type, odd);
    pulse.listed();
    return new KubeList<>(
        type.apiVersion(),
        type.kind() + "List",
        new V1ListMeta().resourceVersion(all.resourceVersion()),
        all.items());
  }

  private static <T extends KubernetesObject> ResourceList<T> nothing() {
    return new ResourceList<>("", List.of());
  }

  private Optional<T> listed(ItemReader.Reading<T> item, Set<ObjectKey> odd) {
    return switch (trimmed(item)) {
      case ItemReader.Read<T>(T object) -> Optional.of(object);
      case ItemReader.Unreadable<T>(UnreadableObject object) -> {
        unreadable.found(type, object);
        odd.add(object.identity().key());
        yield knownAs(object.identity());
      }
    };
  }

  /**
   * The cached state of an object that can't be read any more, which has not been deleted. Another
   * object that had the same name has been.
   */
  private Optional<T> knownAs(ObjectIdentity identity) {
    return known
        .apply(identity.key())
        .filter(cached -> identity.uid().equals(cached.getMetadata().getUid()));
  }

  /**
   * Opens a watch; retries while the server is unavailable. What isn't served is listed again, at
   * longer and longer intervals.
   */
  @Override
  public Watchable<T> watch(CallGeneratorParams params) {
    while (true) {
      if (!presence.served()) {
        pulse.failed(presence.cause());
        throw new WatchExpiredException();
      }
      pauseAfterFailures();
      try {
        return open(params.resourceVersion, params.timeoutSeconds);
      } catch (KubernetesApiException.Gone e) {
        pulse.failed(FailedRequest.describe(e));
        throw new WatchExpiredException();
      } catch (KubernetesApiException.Unreachable
          | KubernetesApiException.ServerFailure
          | KubernetesApiException.TooManyRequests e) {
        pulse.failed(e);
        log.atDebug()
            .addKeyValue("resource", type.qualifiedName())
            .addKeyValue("cause", FailedRequest.describe(e))
            .log("The watch could not be opened; retrying");
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
      // Not the reflector's own number, which no seed decides.
      int seconds = SHORTEST_WATCH + random.nextInt(SHORTEST_WATCH);
      query.put("timeoutSeconds", Integer.toString(seconds));
    }
    Call call =
        watches.newCall(
            watches.request(
                "GET", HttpApi.path(api.inUse(type), selection), query, null, HttpApi.JSON));
    pulse.opening(call);
    if (stopped) {
      // stop() may have been called before the pulse knew this call.
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

  /** The meaning of an event to the cache. One that can't be read only moves the watch on. */
  private List<Watch.Response<T>> read(WatchEvent event) {
    byte @Nullable [] json = event.object();
    if (json == null) {
      return unreadable(
          event, new UnreadableObject(event.identity(), new JsonParseException(INCOMPLETE)));
    }
    return switch (event.type()) {
      case BOOKMARK -> bookmark(ObjectIdentity.of(json));
      case "ADDED", "MODIFIED", DELETED -> changed(event, trimmed(versioned(reader.item(json))));
      default -> {
        var cause = new JsonParseException("no known type of event: '" + event.type() + "'");
        yield unreadable(event, new UnreadableObject(event.identity(), cause));
      }
    };
  }

  /** Without a version, an object would make the watch forget where it is. */
  private ItemReader.Reading<T> versioned(ItemReader.Reading<T> item) {
    return item instanceof ItemReader.Read<T>(T object)
            && object.getMetadata().getResourceVersion() == null
        ? new ItemReader.Unreadable<>(
            new UnreadableObject(
                new ObjectIdentity(ObjectKey.of(object), "", ""),
                new JsonParseException("it has no metadata.resourceVersion")))
        : item;
  }

  private List<Watch.Response<T>> changed(WatchEvent event, ItemReader.Reading<T> item) {
    return switch (item) {
      case ItemReader.Read<T>(T object) -> {
        unreadable.settled(type, ObjectKey.of(object));
        yield List.of(new Watch.Response<>(event.type(), object));
      }
      case ItemReader.Unreadable<T>(UnreadableObject object) -> unreadable(event, object);
    };
  }

  private List<Watch.Response<T>> unreadable(WatchEvent event, UnreadableObject object) {
    ObjectIdentity identity = object.identity();
    if (event.type().equals(DELETED) && identity.isKnown()) {
      unreadable.settled(type, identity.key());
      return List.of(new Watch.Response<>(DELETED, onlyIdentity(identity)));
    }
    unreadable.found(type, object);
    return bookmark(identity);
  }

  /** Moves the watch on to a version; nothing if there is none. */
  private List<Watch.Response<T>> bookmark(ObjectIdentity identity) {
    return identity.resourceVersion().isEmpty()
        ? List.of()
        : List.of(new Watch.Response<>(BOOKMARK, onlyIdentity(identity)));
  }

  private T onlyIdentity(ObjectIdentity identity) {
    var metadata = new JsonObject();
    metadata.addProperty("namespace", identity.key().namespace());
    metadata.addProperty("name", identity.key().name());
    metadata.addProperty("uid", identity.uid());
    metadata.addProperty("resourceVersion", identity.resourceVersion());
    var annotations = new JsonObject();
    annotations.addProperty(ONLY_IDENTITY, "");
    metadata.add("annotations", annotations);
    var object = new JsonObject();
    object.add("metadata", metadata);
    return KueueJson.fromTree(object, type);
  }

  /** Whether nothing but an object's identity is known, since its event couldn't be read. */
  public static boolean isOnlyIdentity(KubernetesObject object) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(ONLY_IDENTITY);
  }

  /** Applies the user's transform. */
  private ItemReader.Reading<T> trimmed(ItemReader.Reading<T> item) {
    if (!(item instanceof ItemReader.Read<T>(T object))) {
      return item;
    }
    V1ObjectMeta metadata = object.getMetadata();
    var identity =
        new ObjectIdentity(
            ObjectKey.of(object), text(metadata.getUid()), text(metadata.getResourceVersion()));
    try {
      return new ItemReader.Read<>(trim.apply(object, known.apply(identity.key())));
    } catch (RuntimeException e) {
      var cause = new IllegalStateException("the informer's transform threw " + e, e);
      return new ItemReader.Unreadable<>(new UnreadableObject(identity, cause));
    }
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** What a probe asks. */
  public WatchState state() {
    return pulse.state(presence.served(), unreadable.count());
  }

  /** Notes a failure of reads from this source; the failure may contain a Retry-After. */
  public void failed(Throwable failure) {
    pulse.failed(failure);
  }

  /** Cancels the watch if it was silent for longer than {@code limit}; true if so. */
  public boolean cutIfSilent(Duration limit) {
    return pulse.cutIfSilent(limit);
  }

  private void pauseAfterFailures() {
    try {
      if (!stopped && TimedWait.pause(time, pulse.pause()) && !stopped) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new StoppedException();
  }

  /**
   * Cancels running requests and watches and refuses new ones. A watch whose response has started
   * is no longer among the HTTP client's running calls, so the pulse has to cancel it.
   */
  public void stop() {
    stopped = true;
    calls.cancelAll();
    watches.cancelAll();
    pulse.cancel();
  }

  /** Whether {@link #stop} was called. */
  public boolean isStopped() {
    return stopped;
  }

  /** Thrown to end the reflector's loop when the informer stops. */
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("the informer is stopped");
    }
  }
}
