// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import org.apiguardian.api.API;

/**
 * A kind of Jobs whose Workloads an external controller creates: an entry of {@code
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
