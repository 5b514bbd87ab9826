// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.tls.ServingCertificates;
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
 * Publishes the certificate authorities of the webhooks to the API server: in the CRDs of converted
 * kinds, together with the address, and in the configurations of the admission webhooks, which the
 * installer of the core creates. An existing {@code url} is kept.
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
   * A publisher; nothing is written before {@link #publish}.
   *
   * @param service that routes to the server's port
   */
  TrustedAuthorities(KubernetesApi api, ObjectKey service) {
    this.api = api;
    this.service = service;
  }

  /** Writes the authorities wherever they differ. */
  void publish(ServingCertificates certificates) {
    byte[] bundle =
        ServingCertificates.pem(certificates.authorities()).getBytes(StandardCharsets.UTF_8);
    for (String name : CONVERTED) {
      publish(CoreTypes.CUSTOM_RESOURCE_DEFINITION, name, found -> publish(found, bundle));
    }
    publish(
        CoreTypes.MUTATING_WEBHOOK_CONFIGURATION,
        WebhookRegistration.MUTATING,
        found -> publish(found, bundle));
    publish(
        CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION,
        WebhookRegistration.VALIDATING,
        found -> publish(found, bundle));
  }

  private <T extends KubernetesObject> void publish(
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

  private void publish(V1MutatingWebhookConfiguration present, byte[] bundle) {
    V1MutatingWebhookConfiguration withAuthorities =
        KueueJson.copyOf(present, V1MutatingWebhookConfiguration.class);
    Objects.requireNonNullElse(withAuthorities.getWebhooks(), List.<V1MutatingWebhook>of())
        .forEach(webhook -> webhook.getClientConfig().setCaBundle(bundle));
    write(CoreTypes.MUTATING_WEBHOOK_CONFIGURATION, GuardedPatch.between(present, withAuthorities));
  }

  private void publish(V1ValidatingWebhookConfiguration present, byte[] bundle) {
    V1ValidatingWebhookConfiguration withAuthorities =
        KueueJson.copyOf(present, V1ValidatingWebhookConfiguration.class);
    Objects.requireNonNullElse(withAuthorities.getWebhooks(), List.<V1ValidatingWebhook>of())
        .forEach(webhook -> webhook.getClientConfig().setCaBundle(bundle));
    write(
        CoreTypes.VALIDATING_WEBHOOK_CONFIGURATION, GuardedPatch.between(present, withAuthorities));
  }

  private <T extends KubernetesObject> void write(ResourceType<T> type, GuardedPatch<T> patch) {
    if (!patch.isEmpty()) {
      api.patch(type, patch);
      log.atInfo()
          .addKeyValue("configuration", patch.key())
          .log("Updated the caBundle of the admission webhooks");
    }
  }

  private void publish(V1CustomResourceDefinition definition, byte[] bundle) {
    V1CustomResourceDefinitionSpec spec = definition.getSpec();
    if (spec == null || spec.getVersions().size() < 2) {
      return;
    }
    GuardedPatch<V1CustomResourceDefinition> patch =
        GuardedPatch.between(
            withConversion(definition, spec, spec.getConversion()),
            withConversion(definition, spec, withAuthorities(spec.getConversion(), bundle)));
    if (!patch.isEmpty()) {
      api.patch(CoreTypes.CUSTOM_RESOURCE_DEFINITION, patch);
      log.atInfo()
          .addKeyValue("definition", ObjectKey.of(definition))
          .log("Updated the conversion webhook of the CustomResourceDefinition");
    }
  }

  /** Builds only the compared part, because the schemas are large and don't differ. */
  private static V1CustomResourceDefinition withConversion(
      V1CustomResourceDefinition definition,
      V1CustomResourceDefinitionSpec spec,
      V1CustomResourceConversion conversion) {
    return new V1CustomResourceDefinition()
        .metadata(definition.getMetadata())
        .spec(new V1CustomResourceDefinitionSpec().group(spec.getGroup()).conversion(conversion));
  }

  private V1CustomResourceConversion withAuthorities(
      V1CustomResourceConversion present, byte[] bundle) {
    V1WebhookConversion webhook = present == null ? null : present.getWebhook();
    ApiextensionsV1WebhookClientConfig client = webhook == null ? null : webhook.getClientConfig();
    ApiextensionsV1WebhookClientConfig withAuthorities =
        new ApiextensionsV1WebhookClientConfig().caBundle(bundle);
    if (client != null && client.getUrl() != null) {
      withAuthorities.url(client.getUrl());
    } else {
      ApiextensionsV1ServiceReference reference =
          new ApiextensionsV1ServiceReference()
              .namespace(service.namespace())
              .name(service.name())
              .path(ConversionReview.PATH);
      if (client != null && client.getService() != null) {
        reference.port(client.getService().getPort());
      }
      withAuthorities.service(reference);
    }
    return new V1CustomResourceConversion()
        .strategy("Webhook")
        .webhook(
            new V1WebhookConversion()
                .conversionReviewVersions(List.of("v1"))
                .clientConfig(withAuthorities));
  }
}
