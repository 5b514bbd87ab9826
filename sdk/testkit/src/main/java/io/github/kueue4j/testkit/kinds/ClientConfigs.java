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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.github.kueue4j.testkit.schema.FieldError;
import io.github.kueue4j.testkit.tree.Trees;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** What the API demands of the {@code clientConfig} of any webhook. */
final class ClientConfigs {
  private static final String FORM = "; desired format: https://host[/path]";

  private ClientConfigs() {}

  static void check(JsonNode config, String path, List<FieldError> errors) {
    String url = Trees.text(config, "url");
    if (url.isEmpty() != config.path("service").isObject()) {
      errors.add(
          new FieldError(
              path, FieldError.Type.REQUIRED, null, "exactly one of url or service is required"));
    } else if (!url.isEmpty()) {
      String problem = problem(url);
      if (!problem.isEmpty()) {
        errors.add(
            new FieldError(
                path + ".url",
                FieldError.Type.INVALID,
                JsonNodeFactory.instance.textNode(url),
                problem + FORM));
      }
    }
  }

  private static String problem(String url) {
    try {
      URI uri = new URI(url);
      if (!"https".equals(uri.getScheme())) {
        return "'https' is the only allowed URL scheme";
      }
      return uri.getHost() == null ? "host must be specified" : "";
    } catch (URISyntaxException e) {
      return "url must be a valid URL: " + e.getMessage();
    }
  }
}
