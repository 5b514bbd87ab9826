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
package io.github.kueue4j.runtime;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How to delete an object.
 *
 * @param propagation what happens to its dependents
 * @param uid delete only the object with this uid (409 otherwise), or null
 * @param resourceVersion delete only this version (409 otherwise), or null
 * @param gracePeriodSeconds how long a pod has until it is killed; 0 removes the object without
 *     asking its kubelet; null leaves it to the object
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeleteOptions(
    Propagation propagation,
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Integer gracePeriodSeconds) {

  /** What happens to the dependents of a deleted object. */
  public enum Propagation {
    /** The garbage collector removes them afterwards. */
    BACKGROUND("Background"),
    /** They are removed first. */
    FOREGROUND("Foreground"),
    /** They stay. */
    ORPHAN("Orphan");

    private final String wireName;

    Propagation(String wireName) {
      this.wireName = wireName;
    }

    String wireName() {
      return wireName;
    }
  }

  /** Dependents are removed in the background; no precondition. */
  public static DeleteOptions background() {
    return new DeleteOptions(Propagation.BACKGROUND, null, null, null);
  }

  /** A copy with another propagation. */
  public DeleteOptions withPropagation(Propagation other) {
    return new DeleteOptions(other, uid, resourceVersion, gracePeriodSeconds);
  }

  /** A copy that deletes only the object with this uid. */
  public DeleteOptions withUid(@Nullable String precondition) {
    return new DeleteOptions(propagation, precondition, resourceVersion, gracePeriodSeconds);
  }

  /** A copy that deletes only this version. */
  public DeleteOptions withResourceVersion(@Nullable String precondition) {
    return new DeleteOptions(propagation, uid, precondition, gracePeriodSeconds);
  }

  /** A copy that gives the object so many seconds to end; 0 removes it at once. */
  public DeleteOptions withGracePeriodSeconds(@Nullable Integer seconds) {
    return new DeleteOptions(propagation, uid, resourceVersion, seconds);
  }
}
