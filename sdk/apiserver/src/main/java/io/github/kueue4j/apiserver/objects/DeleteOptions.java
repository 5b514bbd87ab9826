// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import io.github.kueue4j.apiserver.access.User;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How an object is to be deleted.
 *
 * @param uid precondition, empty for none
 * @param resourceVersion precondition, empty for none
 * @param gracePeriodSeconds of a pod; null if the client doesn't say
 * @param user who asks for it
 */
@API(status = API.Status.INTERNAL)
public record DeleteOptions(
    Propagation propagation,
    String uid,
    String resourceVersion,
    boolean dryRun,
    @Nullable Integer gracePeriodSeconds,
    User user) {

  /** The fate of the objects that the deleted one owns. */
  public enum Propagation {
    /** What the kind does if the client doesn't say. */
    DEFAULT,
    /** Dependents are deleted after the owner. */
    BACKGROUND,
    /** Dependents are deleted first; until then the owner stays, marked for deletion. */
    FOREGROUND,
    /** Dependents stay and lose their owner reference. */
    ORPHAN
  }
}
