// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import io.github.kueue4j.apiserver.access.User;
import org.apiguardian.api.API;

/**
 * How a write is to be carried out, and for whom.
 *
 * @param dryRun decide everything, store nothing
 * @param fieldValidation what becomes of unknown fields
 * @param fieldManager who owns the fields that the write changes; empty for no manager
 * @param user who sends it
 */
@API(status = API.Status.INTERNAL)
public record WriteOptions(
    boolean dryRun, FieldValidation fieldValidation, String fieldManager, User user) {

  /** For the server's own writes. */
  public static final WriteOptions INTERNAL =
      new WriteOptions(false, FieldValidation.IGNORE, "", User.SERVER);

  /** The treatment of fields that the kind doesn't know; they are always dropped if not refused. */
  public enum FieldValidation {
    IGNORE,
    WARN,
    STRICT
  }
}
