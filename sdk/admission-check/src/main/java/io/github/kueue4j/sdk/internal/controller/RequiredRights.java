// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.sdk.objects.KindNotServedException;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds that a controller reads and its Lease, and whether its account may: without the rights
 * its caches would never fill, and it would never lead.
 */
final class RequiredRights {

  private static final List<String> VERBS = List.of("list", "watch");
  private static final Logger log = LoggerFactory.getLogger(RequiredRights.class);

  private static final List<String> LEASE_VERBS = List.of("get", "patch");

  private final String controllerName;
  private final KubernetesApi api;
  private final RightsRemedy remedy;
  private final List<Need> needs = new ArrayList<>();
  private final List<ResourceType<?>> mustBeServed = new ArrayList<>();

  private @Nullable ObjectKey lease;

  /**
   * Objects of a kind, and what is done with them.
   *
   * @param namespace only there; empty: everywhere
   * @param name only objects of this name; empty: all
   */
  private record Need(List<String> verbs, ResourceType<?> type, String namespace, String name) {
    String missing(List<String> missing) {
      return String.join(" and ", missing)
          + ' '
          + type.qualifiedName()
          + (namespace.isEmpty() ? "" : " in the namespace '" + namespace + "'");
    }
  }

  RequiredRights(String controllerName, ClusterConnection connection) {
    this.controllerName = controllerName;
    this.api = connection.api();
    this.remedy = new RightsRemedy(controllerName, connection);
  }

  /** The way to grant what is missing. */
  RightsRemedy remedy() {
    return remedy;
  }

  /** Adds a kind that every check reads. */
  void basic(ResourceType<?> type) {
    needs.add(new Need(VERBS, type, "", ""));
  }

  /** Parameters of this kind. */
  void parameters(ResourceType<?> type, String namespace) {
    needs.add(new Need(VERBS, type, namespace, ""));
    remedy.reads("--parameters", type, namespace);
    mustBeServed.add(type);
  }

  /**
   * Objects that the check watches.
   *
   * @param namespace only there; empty: everywhere
   * @param name only those of this name; empty: all
   * @param later whether the kind may come later
   */
  void watched(ResourceType<?> type, String namespace, String name, boolean later) {
    needs.add(new Need(VERBS, type, namespace, name));
    remedy.reads("--watch", type, namespace);
    if (!later) {
      mustBeServed.add(type);
    }
  }

  /** The Lease that its replicas compete for. */
  void lease(ObjectKey key) {
    lease = key;
    remedy.lease(key);
    needs.add(new Need(LEASE_VERBS, CoreTypes.LEASE, key.namespace(), key.name()));
  }

  /**
   * Asks the server. Where it can't be asked, nothing is said: what is missing shows when the
   * caches fill.
   *
   * @throws KindNotServedException if the server doesn't know a kind
   * @throws MissingRightsException if a right is missing
   */
  void require() {
    requireServed();
    List<String> missing = new ArrayList<>();
    try {
      needs.forEach(need -> addRefused(need, missing));
      if (lease != null && api.get(CoreTypes.LEASE, lease).isEmpty()) {
        addRefused(new Need(List.of("create"), CoreTypes.LEASE, lease.namespace(), ""), missing);
      }
    } catch (KubernetesApiException e) {
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Could not ask the API server for the rights of this account");
    }
    if (!missing.isEmpty()) {
      throw new MissingRightsException(
          "the account of the controller %s may not %s: %s"
              .formatted(controllerName, String.join("; nor ", missing), remedy.words(List.of())));
    }
  }

  /** Without them the caches would never fill. */
  private void requireServed() {
    try {
      for (ResourceType<?> type : mustBeServed) {
        if (!api.serves(type)) {
          throw new KindNotServedException(
              "the controller "
                  + controllerName
                  + " reads "
                  + type.qualifiedName()
                  + " ("
                  + type.version()
                  + "), which the cluster does not serve: install their CustomResourceDefinition"
                  + " ('./kueue4j crds --all' prints those of kueue4j)");
        }
      }
    } catch (KubernetesApiException e) {
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Could not read which kinds the API server serves");
    }
  }

  private void addRefused(Need need, List<String> missing) {
    List<String> verbs = need.verbs().stream().filter(verb -> refused(need, verb)).toList();
    if (!verbs.isEmpty()) {
      missing.add(need.missing(verbs));
    }
  }

  private boolean refused(Need need, String verb) {
    @Nullable V1SubjectAccessReviewStatus answer =
        api.create(
                CoreTypes.SELF_SUBJECT_ACCESS_REVIEW,
                new V1SelfSubjectAccessReview()
                    .metadata(new V1ObjectMeta())
                    .spec(
                        new V1SelfSubjectAccessReviewSpec()
                            .resourceAttributes(
                                new V1ResourceAttributes()
                                    .verb(verb)
                                    .group(need.type().group())
                                    .version(need.type().version())
                                    .resource(need.type().plural())
                                    .namespace(need.namespace())
                                    .name(need.name()))))
            .getStatus();
    return answer != null && Boolean.FALSE.equals(answer.getAllowed());
  }
}
