// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The presence of an optional informer's type: whether the server serves it, with objects in
 * namespaces if the type says so. A refusal proves nothing: objects that this account may not list
 * may run. It is only put up with from the start, where nothing depends on them.
 *
 * <p>A 404 of its list proves nothing: a proxy can answer so, or a server that doesn't know all
 * definitions yet. Discovery must confirm it, and for a while if the type has been served before,
 * since its objects then count as deleted. Written by the informer's reflector only.
 */
final class KindPresence {

  private static final Logger log = LoggerFactory.getLogger(KindPresence.class);

  /** How long every look must confirm that a type is gone which has been served. */
  static final Duration PROOF = Duration.ofMinutes(2);

  /** How a server answers for a path that it doesn't have, instead of with a Status. */
  private static final String NO_SUCH_PATH = ": 404 404 page not found";

  private final ResourceType<?> type;
  private final boolean optional;
  private final BooleanSupplier dispensable;
  private final TimeSource time;
  private final IntSupplier cached;
  private boolean hasBeenServed;
  private @Nullable Instant missingSince;
  private volatile Absence absence = Absence.NONE;

  /** Why the type counts as one that the server doesn't serve. */
  private enum Absence {
    NONE("", ""),
    NOT_SERVED(
        "the server doesn't serve it",
        "The server doesn't serve this resource; looking for it until it does"),
    FORBIDDEN(
        "this account may not list it",
        "This account may not list this resource: its objects are not managed until a ClusterRole of"
            + " the account has the verbs get, list, watch and patch for it"),
    CLUSTER_SCOPED(
        "it is cluster-scoped",
        "This resource is cluster-scoped, and only objects in a namespace can be queued: take its"
            + " kind out of the configuration, or install a definition with the scope Namespaced");

    private final String cause;
    private final String message;

    Absence(String cause, String message) {
      this.cause = cause;
      this.message = message;
    }
  }

  /**
   * The presence of the type of an informer.
   *
   * @param dispensable empty if the server must serve it; otherwise whether nothing depends on its
   *     objects, so that this account need not be allowed to list them
   * @param cached how many objects the informer has
   */
  KindPresence(
      ResourceType<?> type,
      Optional<BooleanSupplier> dispensable,
      TimeSource time,
      IntSupplier cached) {
    this.type = type;
    this.optional = dispensable.isPresent() && !type.group().isEmpty();
    this.dispensable = dispensable.orElse(() -> false);
    this.time = time;
    this.cached = cached;
  }

  /** False only while it is confirmed that the server doesn't serve the type as it is needed. */
  boolean served() {
    return absence == Absence.NONE;
  }

  /** Why it isn't {@link #served}. */
  String cause() {
    return absence.cause;
  }

  /** Whether discovery has confirmed at the last look that the server doesn't serve the type. */
  boolean isMissing() {
    return missingSince != null;
  }

  /**
   * A list arrived. Whether its objects are of the scope that the type says.
   *
   * @throws KubernetesApiException if discovery doesn't answer for now, so that only another list
   *     can tell
   */
  boolean listed(ResourceType<?> inUse, HttpApi discovery) {
    missingSince = null;
    if (optional && (!hasBeenServed || !served()) && isClusterScoped(inUse, discovery)) {
      absentBecause(Absence.CLUSTER_SCOPED);
      return false;
    }
    hasBeenServed = true;
    if (!served()) {
      absence = Absence.NONE;
      log.atInfo()
          .addKeyValue("resource", type.qualifiedName())
          .log("The server serves this resource now");
    }
    return true;
  }

  private void absentBecause(Absence why) {
    if (absence != why) {
      absence = why;
      log.atWarn().addKeyValue("resource", type.qualifiedName()).log(why.message);
    }
  }

  private boolean isClusterScoped(ResourceType<?> inUse, HttpApi discovery) {
    try {
      return inUse.namespaced()
          && resources(discovery, inUse.version())
              .anyMatch(resource -> new JsonPrimitive(false).equals(resource.get("namespaced")));
    } catch (KubernetesApiException.Unreachable
        | KubernetesApiException.ServerFailure
        | KubernetesApiException.TooManyRequests notNow) {
      throw notNow;
    } catch (KubernetesApiException unknown) {
      log.atDebug()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("cause", FailedRequest.describe(unknown))
          .log("Discovery doesn't say whether this resource is namespaced");
      return false;
    }
  }

  /** Whether the type is confirmed not to be served, now that its list has failed. */
  boolean isAbsent(KubernetesApiException refusal, HttpApi discovery) {
    if (optional && refusal instanceof KubernetesApiException.Forbidden && !hasBeenServed) {
      return isDispensable();
    }
    boolean missing = optional && isNoSuchPath(refusal) && (!served() || isGone(discovery));
    if (!missing) {
      missingSince = null;
    } else if (served()) {
      Instant now = time.instant();
      missingSince = Objects.requireNonNullElse(missingSince, now);
      if (!hasBeenServed || !now.isBefore(missingSince.plus(PROOF))) {
        emptied();
      }
    }
    return missing && !served();
  }

  private boolean isDispensable() {
    if (served() && !dispensable.getAsBoolean()) {
      return false;
    }
    absentBecause(Absence.FORBIDDEN);
    return true;
  }

  private void emptied() {
    absence = Absence.NOT_SERVED;
    int objects = cached.getAsInt();
    if (objects == 0) {
      log.atInfo().addKeyValue("resource", type.qualifiedName()).log(Absence.NOT_SERVED.message);
    } else {
      log.atWarn()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("objects", objects)
          .log("The server doesn't serve this resource any more; its objects count as deleted");
    }
  }

  /**
   * Whether discovery says that the server doesn't have the type. One that has been served may just
   * be served in another version now, with all its objects; one that hasn't may never be served in
   * this version, such as {@code mpijobs} of a server that only has their first.
   */
  private boolean isGone(HttpApi discovery) {
    try {
      List<String> versions = versions(discovery.discover("/apis", "APIGroupList"));
      return Stream.concat(
              hasBeenServed ? versions.stream() : Stream.of(), Stream.of(type.version()))
          .distinct()
          .allMatch(version -> lacks(discovery, version, versions.contains(version)));
    } catch (KubernetesApiException unknown) {
      log.atDebug()
          .addKeyValue("resource", type.qualifiedName())
          .addKeyValue("cause", FailedRequest.describe(unknown))
          .log("Discovery doesn't say whether the server serves this resource");
      return false;
    }
  }

  private List<String> versions(JsonObject groups) {
    return objects(groups, "groups")
        .filter(group -> HttpApi.string(group, "name").equals(type.group()))
        .flatMap(group -> objects(group, "versions"))
        .map(version -> HttpApi.string(version, "version"))
        .toList();
  }

  private static Stream<JsonObject> objects(JsonObject answer, String member) {
    if (answer.get(member) instanceof JsonArray array) {
      return array.asList().stream()
          .filter(JsonObject.class::isInstance)
          .map(JsonObject.class::cast);
    }
    throw new KubernetesApiException.Malformed("discovery gives no list of " + member, 200, null);
  }

  private boolean lacks(HttpApi discovery, String version, boolean known) {
    try {
      return resources(discovery, version).findAny().isEmpty();
    } catch (KubernetesApiException.NotFound e) {
      if (known || !isNoSuchPath(e)) {
        throw e;
      }
      return true;
    }
  }

  /** The type in this version as discovery has it; empty if that doesn't have it. */
  private Stream<JsonObject> resources(HttpApi discovery, String version) {
    String path = "/apis/" + type.group() + '/' + version;
    return objects(discovery.discover(path, "APIResourceList"), "resources")
        .filter(resource -> HttpApi.string(resource, "name").equals(type.plural()));
  }

  private static boolean isNoSuchPath(KubernetesApiException refusal) {
    return refusal instanceof KubernetesApiException.NotFound
        && (refusal.status() != null || FailedRequest.describe(refusal).endsWith(NO_SUCH_PATH));
  }
}
