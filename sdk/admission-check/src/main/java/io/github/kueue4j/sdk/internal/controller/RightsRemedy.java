// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1SelfSubjectReview;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The words that say how a controller's account gets the rights that it lacks: a command that
 * prints roles, with all options that are known of this controller, or that knows the check.
 */
final class RightsRemedy {

  /** The names of controllers that come with kueue4j, and with its charts. */
  private static final Pattern SHIPPED =
      Pattern.compile("kueue4j[.]io/.+|kueue[.]x-k8s[.]io/provisioning-request");

  /** The components as which {@code ./kueue4j check} runs them, with the words of {@code --for}. */
  private static final Pattern PROGRAM =
      Pattern.compile("(approval|budget|dependency|gpu|http|policy|prometheus|provisioning)-check");

  private static final Logger log = LoggerFactory.getLogger(RightsRemedy.class);

  private final String controllerName;
  private final ClusterConnection connection;
  private final List<String> kindsRead = new ArrayList<>();
  private final List<String> kindsReported = new ArrayList<>();

  private @Nullable ObjectKey lease;
  private boolean answers;
  private boolean changesObjects;

  RightsRemedy(String controllerName, ClusterConnection connection) {
    this.controllerName = controllerName;
    this.connection = connection;
  }

  /** Objects of this kind are read, which this option of the command grants. */
  void reads(String option, ResourceType<?> type, String namespace) {
    kindsRead.add(option(option, type, namespace));
  }

  /** Their status is written. */
  void status(ResourceType<?> type, String namespace) {
    kindsReported.add(option("--status", type, namespace));
  }

  private static String option(String option, ResourceType<?> type, String namespace) {
    String place = namespace.isEmpty() ? "" : ':' + namespace;
    return ' ' + option + ' ' + type.qualifiedName() + place;
  }

  /** The check is asked in advance. */
  void answers() {
    answers = true;
  }

  /** Its author's code reads or changes other objects, of which nothing is known. */
  void changesObjects() {
    changesObjects = true;
  }

  /** The Lease that its replicas compete for. */
  void lease(ObjectKey key) {
    lease = key;
  }

  /**
   * The way to grant the rights. The account's role may have others that aren't known here, and
   * roles of its name replace it.
   *
   * @param checks the AdmissionChecks whose status it has to write; empty where others are missing
   */
  String words(Collection<String> checks) {
    ObjectKey account = account();
    StringBuilder line = new StringBuilder();
    boolean shipped = SHIPPED.matcher(controllerName).matches();
    if (shipped) {
      line.append("in a Helm release the chart's values grant it; elsewhere ");
    }
    Matcher program = PROGRAM.matcher(connection.component());
    boolean known = shipped && program.matches();
    line.append("'./kueue4j rbac ")
        .append(known ? "--for " + program.group(1) : "--controller-name " + controllerName)
        .append(" -n ")
        .append(account.namespace())
        .append(" --name ")
        .append(account.name());
    checks.forEach(check -> line.append(" --check ").append(check));
    if (!known) {
      kindsRead.forEach(line::append);
      kindsReported.forEach(line::append);
    }
    line.append(answers ? " --answers" : "");
    if (lease != null) {
      boolean near = lease.namespace().equals(account.namespace());
      String named = near ? lease.name() : lease.namespace() + '/' + lease.name();
      line.append(!known && named.equals(account.name()) ? " --leader-elect" : " --lease " + named);
    }
    return line.append("' prints roles that grant it; add what else its role has")
        .append(changesObjects && !known ? ", such as by --own, --change or --secret" : "")
        .toString();
  }

  /** The service account as which it runs; for another user the one that it would have. */
  private ObjectKey account() {
    try {
      V1SelfSubjectReview review =
          connection
              .api()
              .create(
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
}
