// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Secrets: the write-only field stringData becomes data. */
final class SecretRules extends BuiltInRules {

  @Override
  public ObjectNode prepare(ObjectNode incoming) {
    ObjectNode secret = Trees.fresh(incoming);
    Defaults.absent(secret, "type", "Opaque");
    if (secret.get("stringData") instanceof ObjectNode plain) {
      ObjectNode data = Trees.fresh(Trees.object(secret, "data"));
      plain
          .properties()
          .forEach(
              entry ->
                  data.put(
                      entry.getKey(),
                      Base64.getEncoder()
                          .encodeToString(
                              entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
      secret.set("data", data);
      secret.remove("stringData");
    }
    return secret;
  }
}
