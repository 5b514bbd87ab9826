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

import io.github.kueue4j.testkit.access.User;
import org.apiguardian.api.API;

/**
 * How an object is to be deleted.
 *
 * @param uid precondition, empty for none
 * @param resourceVersion precondition, empty for none
 * @param user who asks for it
 */
@API(status = API.Status.INTERNAL)
public record DeleteOptions(
    Propagation propagation, String uid, String resourceVersion, boolean dryRun, User user) {

  /** Dependents are deleted afterwards, without preconditions. */
  public static final DeleteOptions BACKGROUND =
      new DeleteOptions(Propagation.BACKGROUND, "", "", false, User.SERVER);

  /** What becomes of the objects that the deleted one owns. */
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
