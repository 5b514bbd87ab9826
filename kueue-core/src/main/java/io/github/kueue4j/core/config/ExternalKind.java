// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final Pattern FORM =
      Pattern.compile(
          "([A-Za-z][A-Za-z0-9]*)\\.(v\\d[a-z0-9]*)\\.([a-z0-9]([-.a-z0-9]*[a-z0-9])?)");

  /** Reads {@code Kind.version.group}. */
  static ExternalKind read(YamlBlock block, String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw block.invalid("externalFrameworks", "names \"" + text + "\"; write Kind.version.group");
    }
    return new ExternalKind(parts.group(1), parts.group(2), parts.group(3));
  }

  /** Whether an object is of this kind. */
  public boolean is(String apiVersion, String kindName) {
    return kind.equals(kindName) && apiVersion.equals(apiVersion());
  }

  String apiVersion() {
    return group + "/" + version;
  }
}
