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
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.schema.FieldError;
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
            new FieldError(
                path + ".admissionReviewVersions",
                FieldError.Type.REQUIRED,
                null,
                "must specify one of v1, v1beta1"));
      }
    }
    return errors;
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }
}
