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
package io.github.kueue4j.testkit.client;

import org.apiguardian.api.API;

/** The API server answered a request with an error. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RefusedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedRequestException(String request, int status, String reason) {
    super(request + " was answered " + status + ": " + reason);
    this.status = status;
  }

  /** The HTTP status, 400 to 599. */
  public int status() {
    return status;
  }

  /** Whether somebody else changed the object in between (409). */
  public boolean isConflict() {
    return status == 409;
  }

  /** Whether there is no such object (404). */
  public boolean isNotFound() {
    return status == 404;
  }
}
