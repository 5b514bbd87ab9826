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
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The object that holds the parameters of a check.
 *
 * @param apiGroup its API group
 * @param kind its kind
 * @param name its name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckParametersReference(
    @Required String apiGroup, @Required String kind, @Required String name) {
  public AdmissionCheckParametersReference {
    apiGroup = Lenient.text(apiGroup);
    kind = Lenient.text(kind);
    name = Lenient.text(name);
  }

  /** A copy with another {@code apiGroup}. */
  public AdmissionCheckParametersReference withApiGroup(String apiGroup) {
    return new AdmissionCheckParametersReference(apiGroup, kind, name);
  }

  /** A copy with another {@code kind}. */
  public AdmissionCheckParametersReference withKind(String kind) {
    return new AdmissionCheckParametersReference(apiGroup, kind, name);
  }

  /** A copy with another {@code name}. */
  public AdmissionCheckParametersReference withName(String name) {
    return new AdmissionCheckParametersReference(apiGroup, kind, name);
  }
}
