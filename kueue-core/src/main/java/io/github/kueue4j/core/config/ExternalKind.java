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
package io.github.kueue4j.core.config;

import org.apiguardian.api.API;

/**
 * A kind of Jobs whose Workloads somebody else's controller makes, an entry of {@code
 * integrations.externalFrameworks}.
 *
 * @param kind such as {@code AppWrapper}
 * @param version such as {@code v1beta2}
 * @param group such as {@code workload.codeflare.dev}
 */
@API(status = API.Status.EXPERIMENTAL)
public record ExternalKind(String kind, String version, String group) {

  /** Reads {@code Kind.version.group}. */
  static ExternalKind read(ConfigurationBlock block, String text) {
    String[] parts = text.split("\\.", 3);
    if (parts.length < 3 || !parts[1].startsWith("v") || parts[0].isEmpty() || parts[2].isEmpty()) {
      throw block.invalid("externalFrameworks", "names \"" + text + "\"; write Kind.version.group");
    }
    return new ExternalKind(parts[0], parts[1], parts[2]);
  }

  /** Whether an object is of this kind. */
  public boolean is(String apiVersion, String kindName) {
    return kind.equals(kindName) && apiVersion.equals(group + "/" + version);
  }
}
