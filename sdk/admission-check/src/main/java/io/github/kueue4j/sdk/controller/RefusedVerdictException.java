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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;

/** The API server found a verdict invalid, for example an update of a pod set that isn't there. */
final class RefusedVerdictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedVerdictException(ObjectKey workload, String check, RuntimeException cause) {
    super(
        "the API server refused the verdict of '"
            + check
            + "' on workload "
            + workload
            + ": "
            + cause.getMessage()
            + "; mend the check's verdict",
        cause);
  }
}
