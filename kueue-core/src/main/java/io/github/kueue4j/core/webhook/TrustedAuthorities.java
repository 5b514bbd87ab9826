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
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.cache.Copies;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.ApiextensionsV1ServiceReference;
import io.kubernetes.client.openapi.models.ApiextensionsV1WebhookClientConfig;
import io.kubernetes.client.openapi.models.V1CustomResourceConversion;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionSpec;
import io.kubernetes.client.openapi.models.V1MutatingWebhook;
import io.kubernetes.client.openapi.models.V1MutatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1ValidatingWebhook;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1WebhookConversion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the API server whom to trust at the webhooks: in the definitions of the kinds that are
 * converted, along with where to ask, and in the configurations of the admission webhooks, which
 * whoever installs the core registers. A {@code url} that somebody entered stays.
 */
final class TrustedAuthorities {
  private static final Logger log = LoggerFactory.getLogger(TrustedAuthorities.class);
  private static final int TRIES = 5;
  private static final List<String> CONVERTED =
      Stream.of(
              KueueTypes.WORKLOAD,
              KueueTypes.CLUSTER_QUEUE,
              KueueTypes.LOCAL_QUEUE,
              KueueTypes.COHORT)
          .map(type -> type.plural() + "." + KueueTypes.GROUP)
          .toList();

  private final KubernetesApi api;
  private final ObjectKey service;

  /**
   * Nothing is written yet.
   *
   * @param service leads to the server's port
   */
  TrustedAuthorities(KubernetesApi api, ObjectKey service) {
    this.api = api;
    this.service = service;
  }

  /** Enters the authorities wherever others are found. */
  void enter(ServingCertificates certificates) {
    byte[] bundle =
        ServingCertificates.pem(certificates.authorities()).getBytes(StandardCharsets.UTF_8);
    for (String name : CONVERTED) {
      enter(CoreTypes.CUSTOM_RESOURCE_DEFINITION, name, found -> enter(found, bundle));
    }
    enter(
        CoreTypes.MUTATING_WEBHOOK_CONFIGURATION,
        WebhookRegistration.MUTATING,
        found -> enter(found, bundle));
    enter(
        CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION,
        WebhookRegistration.VALIDATING,
        found -> enter(found, bundle));
  }

  private <T extends KubernetesObject> void enter(
      ResourceType<T> type, String name, Consumer<T> write) {
    for (int attempt = 1; ; attempt++) {
      try {
        api.get(type, ObjectKey.cluster(name)).ifPresent(write);
        return;
      } catch (KubernetesApiException.Conflict e) {
        if (attempt == TRIES) {
          throw e;
        }
        log.atDebug().addKeyValue("object", name).log("Another replica was faster");
      }
    }
  }

  private void enter(V1MutatingWebhookConfiguration present, byte[] bundle) {
    V1MutatingWebhookConfiguration trusting =
        Copies.of(present, V1MutatingWebhookConfiguration.class);
    Objects.requireNonNullElse(trusting.getWebhooks(), List.<V1MutatingWebhook>of())
        .forEach(webhook -> webhook.getClientConfig().setCaBundle(bundle));
    write(CoreTypes.MUTATING_WEBHOOK_CONFIGURATION, GuardedPatch.between(present, trusting));
  }

  private void enter(V1ValidatingWebhookConfiguration present, byte[] bundle) {
    V1ValidatingWebhookConfiguration trusting =
        Copies.of(present, V1ValidatingWebhookConfiguration.class);
    Objects.requireNonNullElse(trusting.getWebhooks(), List.<V1ValidatingWebhook>of())
        .forEach(webhook -> webhook.getClientConfig().setCaBundle(bundle));
    write(CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION, GuardedPatch.between(present, trusting));
  }

  private <T extends KubernetesObject> void write(ResourceType<T> type, GuardedPatch<T> patch) {
    if (!patch.isEmpty()) {
      api.patch(type, patch);
      log.atInfo()
          .addKeyValue("configuration", patch.key())
          .log("Entered the authority of the admission webhooks");
    }
  }

  private void enter(V1CustomResourceDefinition definition, byte[] bundle) {
    V1CustomResourceDefinitionSpec spec = definition.getSpec();
    if (spec == null || spec.getVersions().size() < 2) {
      return;
    }
    GuardedPatch<V1CustomResourceDefinition> patch =
        GuardedPatch.between(
            withConversion(definition, spec, spec.getConversion()),
            withConversion(definition, spec, trusting(spec.getConversion(), bundle)));
    if (!patch.isEmpty()) {
      api.patch(CoreTypes.CUSTOM_RESOURCE_DEFINITION, patch);
      log.atInfo()
          .addKeyValue("definition", ObjectKey.of(definition))
          .log("Entered the conversion webhook");
    }
  }

  /** Only what is compared: the schemas are large, and nothing in them differs. */
  private static V1CustomResourceDefinition withConversion(
      V1CustomResourceDefinition definition,
      V1CustomResourceDefinitionSpec spec,
      V1CustomResourceConversion conversion) {
    return new V1CustomResourceDefinition()
        .metadata(definition.getMetadata())
        .spec(new V1CustomResourceDefinitionSpec().group(spec.getGroup()).conversion(conversion));
  }

  private V1CustomResourceConversion trusting(V1CustomResourceConversion present, byte[] bundle) {
    V1WebhookConversion webhook = present == null ? null : present.getWebhook();
    ApiextensionsV1WebhookClientConfig client = webhook == null ? null : webhook.getClientConfig();
    ApiextensionsV1WebhookClientConfig trusting =
        new ApiextensionsV1WebhookClientConfig().caBundle(bundle);
    if (client != null && client.getUrl() != null) {
      trusting.url(client.getUrl());
    } else {
      ApiextensionsV1ServiceReference reference =
          new ApiextensionsV1ServiceReference()
              .namespace(service.namespace())
              .name(service.name())
              .path(ConversionReview.PATH);
      if (client != null && client.getService() != null) {
        reference.port(client.getService().getPort());
      }
      trusting.service(reference);
    }
    return new V1CustomResourceConversion()
        .strategy("Webhook")
        .webhook(
            new V1WebhookConversion()
                .conversionReviewVersions(List.of("v1"))
                .clientConfig(trusting));
  }
}
