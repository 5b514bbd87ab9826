// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.testing;

import io.github.kueue4j.api.KueueJson;
import org.yaml.snakeyaml.Yaml;

/** Reads API objects from YAML. */
public final class FromYaml {
  private FromYaml() {}

  /** The same as JSON. */
  public static String json(String yaml) {
    return KueueJson.toJson(new Yaml().load(yaml));
  }

  public static <T> T read(Class<T> type, String yaml) {
    Object tree = new Yaml().load(yaml);
    return KueueJson.fromTree(KueueJson.toTree(tree), type);
  }
}
