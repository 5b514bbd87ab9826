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
import io.kubernetes.client.openapi.models.V1SelfSubjectReview;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds that a controller reads and its Lease, and whether its account may: without the rights
 * its caches would never fill, and it would never lead. Knows a command that prints roles with
 * them.
 */
final class ReadRights {

  private static final List<String> VERBS = List.of("list", "watch");
  private static final Logger log = LoggerFactory.getLogger(ReadRights.class);

  /** The names of controllers that come with kueue4j, and with its charts. */
  private static final Pattern SHIPPED = Pattern.compile("kueue4j[.]io/.+");

  private static final List<String> LEASE_VERBS = List.of("get", "patch");

  private final String controllerName;
  private final ClusterConnection connection;
  private final KubernetesApi api;
  private final List<Need> needs = new ArrayList<>();
  private final List<String> otherOptions = new ArrayList<>();
  private final List<ResourceType<?>> mustBeServed = new ArrayList<>();

  private @Nullable ObjectKey lease;
  private boolean changesObjects;

  /**
   * Objects of a kind, and what is done with them.
   *
   * @param option the one of {@code ./kueue4j rbac} that grants it; empty for what it always grants
   * @param namespace only there; empty: everywhere
   * @param name only objects of this name; empty: all
   */
  private record Need(
      String option, List<String> verbs, ResourceType<?> type, String namespace, String name) {
    String rbacOption() {
      return option.isEmpty() ? "" : ReadRights.option(option, type, namespace);
    }

    String missing(List<String> missing) {
      return String.join(" and ", missing)
          + ' '
          + type.qualifiedName()
          + (namespace.isEmpty() ? "" : " in the namespace '" + namespace + "'");
    }
  }

  ReadRights(String controllerName, ClusterConnection connection) {
    this.controllerName = controllerName;
    this.connection = connection;
    this.api = connection.api();
  }

  private static String option(String option, ResourceType<?> type, String namespace) {
    String place = namespace.isEmpty() ? "" : ':' + namespace;
    return ' ' + option + ' ' + type.qualifiedName() + place;
  }

  /** Adds a kind that every check reads. */
  void basic(ResourceType<?> type) {
    needs.add(new Need("", VERBS, type, "", ""));
  }

  /** Parameters of this kind. */
  void parameters(ResourceType<?> type, String namespace) {
    needs.add(new Need("--parameters", VERBS, type, namespace, ""));
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
    needs.add(new Need("--watch", VERBS, type, namespace, name));
    if (!later) {
      mustBeServed.add(type);
    }
  }

  /** Their status is written. */
  void status(ResourceType<?> type, String namespace) {
    otherOptions.add(option("--status", type, namespace));
  }

  /** The check is asked in advance. */
  void answers() {
    otherOptions.add(" --answers");
  }

  /** Its author's code reads or changes other objects, of which nothing is known. */
  void changesObjects() {
    changesObjects = true;
  }

  /** The Lease that its replicas compete for. */
  void lease(ObjectKey key) {
    lease = key;
    needs.add(new Need("", LEASE_VERBS, CoreTypes.LEASE, key.namespace(), key.name()));
  }

  /**
   * The way to grant the rights. The account's role may have others that aren't known here, and
   * roles of its name replace it.
   *
   * @param checks the AdmissionChecks whose status it has to write; empty where others are missing
   */
  String remedy(Collection<String> checks) {
    ObjectKey account = account();
    StringBuilder line = new StringBuilder();
    if (SHIPPED.matcher(controllerName).matches()) {
      line.append("in a Helm release the chart's values grant it; elsewhere ");
    }
    line.append("'./kueue4j rbac --controller-name ")
        .append(controllerName)
        .append(" -n ")
        .append(account.namespace())
        .append(" --name ")
        .append(account.name());
    checks.forEach(check -> line.append(" --check ").append(check));
    needs.forEach(need -> line.append(need.rbacOption()));
    otherOptions.forEach(line::append);
    if (lease != null) {
      boolean near = lease.namespace().equals(account.namespace());
      String named = near ? lease.name() : lease.namespace() + '/' + lease.name();
      line.append(named.equals(account.name()) ? " --leader-elect" : " --lease " + named);
    }
    return line.append("' prints roles that grant it; add what else its role has")
        .append(changesObjects ? ", such as by --own, --change or --secret" : "")
        .toString();
  }

  /** The service account as which it runs; for another user the one that it would have. */
  private ObjectKey account() {
    try {
      V1SelfSubjectReview review =
          api.create(
              CoreTypes.SELF_SUBJECT_REVIEW,
              new V1SelfSubjectReview().metadata(new V1ObjectMeta()));
      if (review.getStatus() != null && review.getStatus().getUserInfo() != null) {
        String user =
            Objects.requireNonNullElse(review.getStatus().getUserInfo().getUsername(), "");
        String[] parts = user.split(":", -1);
        if (user.startsWith("system:serviceaccount:") && parts.length == 4) {
          return new ObjectKey(parts[2], parts[3]);
        }
      }
    } catch (KubernetesApiException e) {
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Could not ask the API server who this account is");
    }
    return new ObjectKey(connection.namespace(), connection.component());
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
      for (Need need : needs) {
        List<String> verbs = need.verbs().stream().filter(verb -> refused(need, verb)).toList();
        if (!verbs.isEmpty()) {
          missing.add(need.missing(verbs));
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
              + ": "
              + remedy(List.of()));
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
