// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.store.Key;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Has a say in writes that are understood and not yet stored. Called without any lock held. */
@API(status = API.Status.INTERNAL)
public interface Admission {

  /** The operation of a write. */
  enum WriteOperation {
    CREATE,
    UPDATE,
    DELETE
  }

  /**
   * A write that a client attempts. Objects are in the form that the resource serves.
   *
   * @param key its name is empty if it isn't made up yet
   * @param old the object before, null on a create
   * @param user who attempts it
   * @param warnings takes what the client is to be told besides the answer
   */
  record Attempt(
      ServedResource resource,
      Key key,
      String subresource,
      WriteOperation writeOperation,
      @Nullable ObjectNode old,
      boolean dryRun,
      User user,
      Consumer<String> warnings) {

    /** One that stores an object as these options say. */
    static Attempt of(
        WriteOperation operation,
        ServedResource resource,
        Key key,
        String subresource,
        @Nullable ObjectNode old,
        WriteOptions options,
        Consumer<String> warnings) {
      return new Attempt(
          resource, key, subresource, operation, old, options.dryRun(), options.user(), warnings);
    }
  }

  /**
   * The object as it shall be instead; empty if nothing is to change.
   *
   * @param object what is wanted, null on a deletion
   * @throws io.github.kueue4j.apiserver.status.ApiException if a webhook or policy refuses the
   *     write
   */
  Optional<ObjectNode> mutate(Attempt attempt, @Nullable ObjectNode object);

  /**
   * Asks the webhooks and policies that may refuse the write.
   *
   * @param object what is to be stored, null on a deletion
   * @throws io.github.kueue4j.apiserver.status.ApiException if one of them refuses the write
   */
  void validate(Attempt attempt, @Nullable ObjectNode object);
}
