// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckParametersReference;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.approvalcheck.ApprovalCheck;
import io.github.kueue4j.approvalcheck.ApprovalCheckSpec;
import io.github.kueue4j.approvalcheck.ApprovalSpec;
import io.github.kueue4j.approvalcheck.Rulings;
import io.github.kueue4j.approvalcheck.Standing;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The AdmissionChecks that people answer: those of the approval check's controller, or with its
 * parameters.
 *
 * @param parameters by the name of the AdmissionCheck; the defaults where they can't be read
 */
record ApprovalChecks(Map<String, ApprovalCheckSpec> parameters) {
  /**
   * Reads them.
   *
   * @throws UserError if the cluster has no Approvals
   * @throws KubernetesApiException.Forbidden if AdmissionChecks may not be listed
   */
  static ApprovalChecks read(KubernetesApi api) {
    requireApprovals(api);
    Map<String, ApprovalCheckSpec> found = new HashMap<>();
    for (AdmissionCheck check : api.list(KueueTypes.ADMISSION_CHECK, ListOptions.all()).items()) {
      @Nullable AdmissionCheckParametersReference reference = check.spec().parameters();
      if (reference != null && reference.kind().equals(ApprovalCheck.TYPE.kind())) {
        found.put(check.key().name(), spec(api, reference.name()));
      } else if (ApprovalCheck.CONTROLLER_NAME.equals(check.spec().controllerName())) {
        found.put(check.key().name(), ApprovalCheckSpec.defaults());
      }
    }
    return new ApprovalChecks(Map.copyOf(found));
  }

  /** One that the user names and may not read. */
  static ApprovalChecks named(String check) {
    return new ApprovalChecks(Map.of(check, ApprovalCheckSpec.defaults()));
  }

  /**
   * Refuses a cluster without the kind.
   *
   * @throws UserError if it isn't served
   */
  static void requireApprovals(KubernetesApi api) {
    if (!api.serves(ApprovalSpec.TYPE)) {
      throw new UserError(
          "the cluster does not serve "
              + ApprovalSpec.TYPE.qualifiedName()
              + "; the chart admission-checks installs it, or 'crds --for approval | kubectl apply -f -'");
    }
  }

  private static ApprovalCheckSpec spec(KubernetesApi api, String name) {
    try {
      return api.get(ApprovalCheck.TYPE, ObjectKey.cluster(name))
          .map(object -> object.spec())
          .orElseGet(ApprovalCheckSpec::defaults);
    } catch (KubernetesApiException.Forbidden | InvalidFieldException e) {
      return ApprovalCheckSpec.defaults();
    }
  }

  ApprovalCheckSpec of(String check) {
    return parameters.getOrDefault(check, ApprovalCheckSpec.defaults());
  }

  /** The decisions on a Workload, as the Approvals say. */
  Standing standing(Workload workload, String check, Rulings rulings, Instant now) {
    return Standing.of(workload, check, rulings, of(check).holdsFor(), now);
  }

  boolean contains(String check) {
    return parameters.containsKey(check);
  }

  /**
   * The one that a decision about this Workload is for.
   *
   * @param named by the user
   * @param open whether one is still to be decided: of several those are meant
   * @throws UserError if it is none of these, or several could be meant
   */
  String choose(Workload workload, Optional<String> named, Predicate<String> open) {
    List<String> entries =
        workload.status().admissionChecks().stream().map(AdmissionCheckState::name).toList();
    if (named.isPresent()) {
      if (!contains(named.get())) {
        throw new UserError(
            "'"
                + named.get()
                + "' is no AdmissionCheck that people answer; "
                + (parameters.isEmpty()
                    ? "there is none with the controller "
                        + ApprovalCheck.CONTROLLER_NAME
                        + ", or with an ApprovalCheck as its parameters, which one with another"
                        + " controller name needs"
                    : "these are " + names(parameters.keySet().stream().sorted().toList())));
      }
      if (!entries.isEmpty() && !entries.contains(named.get())) {
        throw new UserError(
            workload.key()
                + " doesn't wait for '"
                + named.get()
                + "': its checks are "
                + names(entries));
      }
      return named.get();
    }
    List<String> asked = entries.stream().filter(this::contains).toList();
    List<String> undecided = asked.stream().filter(open).toList();
    if (asked.size() == 1 || undecided.size() == 1) {
      return asked.size() == 1 ? asked.getFirst() : undecided.getFirst();
    }
    throw new UserError(
        asked.isEmpty()
            ? workload.key()
                + " waits for no approval: "
                + (entries.isEmpty()
                    ? "no check has been asked yet; name one by --check to decide in advance"
                    : "its checks are " + names(entries))
            : workload.key() + " waits for " + names(asked) + "; name one by --check");
  }

  private static String names(List<String> all) {
    return String.join(", ", all);
  }
}
