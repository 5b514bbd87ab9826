// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.InvalidFieldException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The rule that pods start in one domain of nodes: on nodes with the same value of a label.
 *
 * @param label of nodes, such as {@code topology.kubernetes.io/zone}; nodes without it are in no
 *     domain
 * @param scope which pods share a domain
 * @param otherwise what becomes of a workload for which no domain has room
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DomainRule(String label, Scope scope, Otherwise otherwise) {

  /** The pods that share a domain. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Scope {
    /** All pods of a workload. */
    WORKLOAD,
    /** The pods of each pod set; those of another one may be in another domain. */
    POD_SET
  }

  /** The answer to a workload for which no domain has room. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Otherwise {
    /** It waits for such a domain. */
    RETRY,
    /** It is let through if there is room on any nodes. */
    ANYWHERE
  }

  private static final Pattern LABEL =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  /**
   * Such a rule.
   *
   * @throws InvalidFieldException if no node can have such a label
   */
  public DomainRule {
    if (!LABEL.matcher(label).matches()) {
      throw new InvalidFieldException(
          "label", label, "write a label of nodes, such as topology.kubernetes.io/zone");
    }
  }

  /** The rule, as it is written. What is absent: one domain for a workload, which waits for it. */
  record Written(String label, Optional<Scope> scope, Optional<Otherwise> otherwise) {
    DomainRule rule() {
      return new DomainRule(label, scope.orElse(Scope.WORKLOAD), otherwise.orElse(Otherwise.RETRY));
    }
  }
}
