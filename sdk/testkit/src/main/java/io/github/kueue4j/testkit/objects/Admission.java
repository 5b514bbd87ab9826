/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.access.User;
import io.github.kueue4j.testkit.kinds.ServedResource;
import io.github.kueue4j.testkit.store.Key;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Has a say in writes that are understood and not yet stored. Called without any lock held. */
@API(status = API.Status.INTERNAL)
public interface Admission {

  /** Lets everything through. */
  Admission NONE =
      new Admission() {
        @Override
        public Optional<ObjectNode> mutate(Attempt attempt, @Nullable ObjectNode object) {
          return Optional.empty();
        }

        @Override
        public void validate(Attempt attempt, @Nullable ObjectNode object) {}
      };

  /** What a write does. */
  enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  /**
   * A write that somebody attempts. Objects are in the form that the resource serves.
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
      Operation operation,
      @Nullable ObjectNode old,
      boolean dryRun,
      User user,
      Consumer<String> warnings) {}

  /**
   * The object as it shall be instead; empty if nothing is to change.
   *
   * @param object what is wanted, null on a deletion
   * @throws io.github.kueue4j.testkit.status.ApiException if somebody refuses the write
   */
  Optional<ObjectNode> mutate(Attempt attempt, @Nullable ObjectNode object);

  /**
   * Asks everybody who may refuse.
   *
   * @param object what is to be stored, null on a deletion
   * @throws io.github.kueue4j.testkit.status.ApiException if somebody refuses the write
   */
  void validate(Attempt attempt, @Nullable ObjectNode object);
}
