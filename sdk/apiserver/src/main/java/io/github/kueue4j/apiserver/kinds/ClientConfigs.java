// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import io.github.kueue4j.apiserver.tree.Trees;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** The rules of the API for the {@code clientConfig} of any webhook. */
final class ClientConfigs {
  private static final String FORM = "; desired format: https://host[/path]";

  private ClientConfigs() {}

  static void check(JsonNode config, String path, List<FieldError> errors) {
    String url = Trees.text(config, "url");
    if (url.isEmpty() != config.path("service").isObject()) {
      errors.add(FieldError.required(path, "exactly one of url or service is required"));
    } else if (!url.isEmpty()) {
      String problem = problem(url);
      if (!problem.isEmpty()) {
        errors.add(FieldError.invalid(path + ".url", url, problem + FORM));
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
