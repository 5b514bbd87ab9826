// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ResourceType;
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
 * The kinds that a controller reads, and whether its account may: without the rights its caches
 * would never fill.
 */
final class ReadRights {

  private static final List<String> VERBS = List.of("list", "watch");
  private static final Logger log = LoggerFactory.getLogger(ReadRights.class);

  private final List<Need> needs = new ArrayList<>();
  private final List<ResourceType<?>> mustBeServed = new ArrayList<>();

  /**
   * Objects of a kind that are listed and watched.
   *
   * @param option the one of {@code ./kueue4j rbac} that grants it; empty for what it always grants
   * @param namespace only there; empty: everywhere
   * @param name only objects of this name; empty: all
   */
  private record Need(String option, ResourceType<?> type, String namespace, String name) {
    String rbacOption() {
      String place = namespace.isEmpty() ? "" : ':' + namespace;
      return option.isEmpty() ? "" : ' ' + option + ' ' + type.qualifiedName() + place;
    }

    String missing(List<String> verbs) {
      return String.join(" and ", verbs)
          + ' '
          + type.qualifiedName()
          + (namespace.isEmpty() ? "" : " in the namespace '" + namespace + "'");
    }
  }

  /** Adds a kind that every check reads. */
  void basic(ResourceType<?> type) {
    needs.add(new Need("", type, "", ""));
  }

  /** Parameters of this kind. */
  void parameters(ResourceType<?> type, String namespace) {
    needs.add(new Need("--parameters", type, namespace, ""));
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
    needs.add(new Need("--watch", type, namespace, name));
    if (!later) {
      mustBeServed.add(type);
    }
  }

  /**
   * Asks the server. Where it can't be asked, nothing is said: what is missing shows when the
   * caches fill.
   *
   * @throws KindNotServedException if the server doesn't know a kind
   * @throws MissingRightsException if a right is missing
   */
  void require(String controllerName, KubernetesApi api) {
    requireServed(controllerName, api);
    List<String> missing = new ArrayList<>();
    StringBuilder options = new StringBuilder();
    try {
      for (Need need : needs) {
        List<String> verbs = VERBS.stream().filter(verb -> refused(need, verb, api)).toList();
        if (!verbs.isEmpty()) {
          missing.add(need.missing(verbs));
          options.append(need.rbacOption());
        }
      }
    } catch (KubernetesApiException e) {
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Could not ask the API server for the rights of this account");
    }
    if (!missing.isEmpty()) {
      throw new MissingRightsException(
          "the account of the controller "
              + controllerName
              + " may not "
              + String.join("; nor ", missing)
              + ": './kueue4j rbac --controller-name "
              + controllerName
              + options
              + "' prints roles that grant it");
    }
  }

  /** Without them the caches would never fill. */
  private void requireServed(String controllerName, KubernetesApi api) {
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

  private static boolean refused(Need need, String verb, KubernetesApi api) {
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
