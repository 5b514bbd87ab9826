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
 * No connection to a cluster could be made: the file, the context or the server is missing. The
 * message is one line that names the remedy.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClusterConnectionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
