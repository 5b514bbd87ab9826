// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.approvalcheck;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.ResourceType;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The spec of an {@code Approval}: what one person decided about one Workload. It never changes;
 * later decisions are later objects.
 *
 * @param workload that is decided about, in the same namespace
 * @param check the AdmissionCheck that asked
 * @param by the user who decided, as the API server knows them
 * @param until when an approval ends; absent: as the ApprovalCheck says. A denial has none
 * @param comment for the owner of the Workload; a denial has one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ApprovalSpec(
    Subject workload,
    String check,
    Decision decision,
    String by,
    Optional<Instant> until,
    Optional<String> comment) {

  /** The kind. */
  public static final ResourceType<CustomResource<ApprovalSpec>> TYPE =
      ResourceType.namespaced("checks.kueue4j.io/v1alpha1", "Approval", ApprovalSpec.class);

  /** As the definition of the kind has it, which must not let through what is refused here. */
  private static final Pattern VISIBLE = Pattern.compile("[^ \\t\\n\\f\\r]");

  /** The decision of a person. */
  public enum Decision {
    /** It may start. */
    APPROVE,
    /** It may not: it is deactivated. */
    DENY
  }

  /**
   * One Workload.
   *
   * @param uid a Workload that was made anew under its name is another
   * @param generation {@code metadata.generation} of the spec that is decided about; absent:
   *     whatever its spec becomes
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Subject(String name, String uid, Optional<Long> generation) {}

  /**
   * @throws InvalidFieldException if two fields contradict each other; the message says what to
   *     write
   */
  public ApprovalSpec {
    boolean explains = comment.filter(text -> VISIBLE.matcher(text).find()).isPresent();
    comment = comment.map(String::strip).filter(text -> !text.isEmpty());
    if (decision == Decision.DENY && until.isPresent()) {
      throw new InvalidFieldException(
          "until", until.get().toString(), "write it for the decision Approve only");
    }
    if (decision == Decision.DENY && !explains) {
      throw new InvalidFieldException("comment", null, "say why the Workload is denied");
    }
  }
}
