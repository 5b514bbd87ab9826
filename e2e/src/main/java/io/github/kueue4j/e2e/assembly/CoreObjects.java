// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.WebhookSettings;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** The objects that a cluster has for the core before it starts. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class CoreObjects {
  private CoreObjects() {}

  /**
   * The definitions of {@code kueue.x-k8s.io}, the core's namespace, and its webhooks if it serves
   * them, as YAML texts. All clients of an embedded API server are the same user, so the webhooks
   * are asked about the core's writes, too.
   */
  public static List<String> of(Configuration configuration) {
    String namespace = configuration.namespace();
    List<String> yamls = new ArrayList<>(Crds.kueue());
    yamls.add("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
    configuration
        .webhook()
        .map(WebhookSettings::serviceName)
        .map(
            service ->
                new WebhookRegistration(
                    new ObjectKey(namespace, service),
                    WebhookRegistration.allNamespacesBut(namespace),
                    configuration.integrations(),
                    null))
        .ifPresent(
            registration -> {
              yamls.add(KueueJson.toJson(registration.mutating()));
              yamls.add(KueueJson.toJson(registration.validating()));
            });
    return yamls;
  }
}
