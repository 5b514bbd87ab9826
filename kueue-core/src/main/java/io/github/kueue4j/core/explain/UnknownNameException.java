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
package io.github.kueue4j.core.explain;

import java.util.List;
import org.apiguardian.api.API;

/** There is neither a Workload nor a Job of the name that was asked for. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class UnknownNameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownNameException(String namespace, String asked, List<String> near) {
    super(message(namespace, asked, near));
  }

  private static String message(String namespace, String asked, List<String> near) {
    String missing =
        "there is no Workload and no Job called '" + asked + "' in the namespace " + namespace;
    return near.isEmpty()
        ? missing
            + "; list them with 'kubectl get workloads,jobs -A' and give the namespace with -n"
        : missing + "; did you mean " + String.join(", ", near) + "?";
  }
}
