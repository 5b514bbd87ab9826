// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.openapi.models.V1StatusCause;
import io.kubernetes.client.openapi.models.V1StatusDetails;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The texts of events about what the API server refuses. */
final class Refusal {
  /** The note of an event holds 1,024 bytes; further causes are mostly of the same kind. */
  private static final int MOST_CAUSES = 3;

  private static final int LONGEST_CAUSE = 240;

  /** Admission may quote the whole object. */
  private static final int LONGEST_MESSAGE = 640;

  private Refusal() {}

  /** Whether the API server refused a request, also since it can't call a webhook. */
  static boolean is(KubernetesApiException e) {
    return e instanceof KubernetesApiException.Forbidden
        || e instanceof KubernetesApiException.Invalid
        || e instanceof KubernetesApiException.BadRequest
        || lacksWebhook(e);
  }

  /** Whether requests about other objects would fail as well, perhaps after a long wait. */
  static boolean isOfAll(KubernetesApiException e) {
    return e instanceof KubernetesApiException.Unreachable
        || e instanceof KubernetesApiException.TooManyRequests
        || e instanceof KubernetesApiException.LeaseInvalid
        || e instanceof KubernetesApiException.Unauthorized
        || lacksWebhook(e);
  }

  private static boolean lacksWebhook(KubernetesApiException e) {
    return e instanceof KubernetesApiException.ServerFailure
        && e.statusMessage().contains("failed calling webhook");
  }

  /** The text of a refusal: the Workload, what of it is wrong and what to do. */
  static String text(ObjectKey workload, KubernetesApiException.Invalid refused) {
    String causes =
        Optional.ofNullable(refused.status())
            .map(V1Status::getDetails)
            .map(V1StatusDetails::getCauses)
            .orElse(List.<V1StatusCause>of())
            .stream()
            .limit(MOST_CAUSES)
            .map(cause -> cut(cause.getField() + ": " + cause.getMessage()))
            .collect(Collectors.joining("; "));
    return "The API server refuses Workload "
        + workload
        + " for this Job: "
        + (causes.isEmpty() ? cut(String.valueOf(refused.getMessage())) : causes)
        + ". Change what of the Job it comes from; it is tried again then, and every minute";
  }

  /** The server's sentence about a request for a Job, and the remedy. */
  static String withRemedy(KubernetesApiException refused) {
    boolean lacksRight =
        refused instanceof KubernetesApiException.Forbidden forbidden && forbidden.lacksRight();
    return cut(refused.statusMessage(), LONGEST_MESSAGE)
        + (lacksRight
            ? ". Give the core's account this right, as the chart does"
            : lacksWebhook(refused)
                ? ". Look whether the pods of that webhook are ready, or delete its configuration"
                    + " if it was uninstalled"
                : ". Mend what that names; if it names a webhook or policy, its documentation tells what"
                    + " it allows");
  }

  private static String cut(String text) {
    return cut(text, LONGEST_CAUSE);
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "...";
  }
}
