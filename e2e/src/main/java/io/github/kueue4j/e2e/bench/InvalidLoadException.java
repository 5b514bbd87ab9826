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
package io.github.kueue4j.e2e.bench;

import org.apiguardian.api.API;

/** A load file says something that can't be done; the message names place and remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class InvalidLoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidLoadException(String message) {
    super(message);
  }

  InvalidLoadException(String message, Throwable cause) {
    super(message, cause);
  }
}
