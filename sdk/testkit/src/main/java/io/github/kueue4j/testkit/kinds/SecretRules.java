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
package io.github.kueue4j.testkit.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.tree.Trees;
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
