// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.schema.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configurations of admission webhooks: each webhook can be reached in one way. */
final class WebhookConfigurationRules extends BuiltInRules {

  @Override
  public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode webhooks = object.path("webhooks");
    for (int i = 0; i < webhooks.size(); i++) {
      String path = "webhooks[" + i + "]";
      ClientConfigs.check(webhooks.get(i).path("clientConfig"), path + ".clientConfig", errors);
      if (webhooks.get(i).path("admissionReviewVersions").isEmpty()) {
        errors.add(
            FieldError.required(
                path + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
      }
    }
    return errors;
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
