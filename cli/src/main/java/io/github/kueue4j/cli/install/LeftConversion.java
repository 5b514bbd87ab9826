// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.JsonPatch.Kind;
import io.github.kueue4j.runtime.patch.JsonPatch.Operation;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A definition whose objects a webhook of the release converted. Its other versions than the stored
 * one are not served any more: a client of them is told so at once, and the API server doesn't ask
 * a server that is gone. A later installation of the chart serves them again.
 */
final class LeftConversion implements Leftovers.Leftover {
  private static final String SERVICE = "/spec/conversion/webhook/clientConfig/service/";

  private final KubernetesApi api;
  private final String name;
  private final ObjectKey service;
  private final Consumer<String> out;

  private boolean done;

  /** The remedy for a definition. */
  private sealed interface Remedy {
    /** Nothing, and why. */
    record Leave(String why) implements Remedy {}

    /** This, in one step. */
    record Change(JsonPatch patch) implements Remedy {}
  }

  /**
   * The conversion of one definition.
   *
   * @param service that of the release's webhooks
   */
  LeftConversion(KubernetesApi api, String name, ObjectKey service, Consumer<String> out) {
    this.api = api;
    this.name = name;
    this.service = service;
    this.out = out;
  }

  @Override
  public boolean removed(Instant now) {
    if (done) {
      return true;
    }
    ObjectKey key = ObjectKey.cluster(name);
    Remedy remedy =
        api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key)
            .map(this::remedy)
            .orElseGet(() -> new Remedy.Leave("there is none"));
    switch (remedy) {
      case Remedy.Leave leave -> out.accept("definition " + name + ": " + leave.why());
      case Remedy.Change change -> {
        try {
          api.patch(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key, change.patch());
        } catch (KubernetesApiException.Invalid | KubernetesApiException.Conflict e) {
          return false; // Another client has changed it since it was read.
        }
        out.accept(
            "definition "
                + name
                + ": only its stored version is served, and no webhook is asked to convert");
      }
    }
    done = true;
    return true;
  }

  private Remedy remedy(V1CustomResourceDefinition definition) {
    Optional<ObjectKey> asked =
        Optional.ofNullable(definition.getSpec().getConversion())
            .map(conversion -> conversion.getWebhook())
            .map(webhook -> webhook.getClientConfig())
            .map(client -> client.getService())
            .map(found -> new ObjectKey(found.getNamespace(), found.getName()));
    if (asked.isEmpty()) {
      return new Remedy.Leave("no webhook is asked to convert; left as it is");
    }
    if (!asked.get().equals(service)) {
      return new Remedy.Leave(
          "its conversion names the Service "
              + asked.get()
              + ", not this release's; left as it is");
    }
    List<V1CustomResourceDefinitionVersion> versions = definition.getSpec().getVersions();
    List<String> stored =
        definition.getStatus() == null || definition.getStatus().getStoredVersions() == null
            ? List.of()
            : definition.getStatus().getStoredVersions();
    for (V1CustomResourceDefinitionVersion version : versions) {
      if (!version.getStorage() && stored.contains(version.getName())) {
        return new Remedy.Leave(
            "objects may be stored as "
                + version.getName()
                + ", which only a core's webhook can convert; left as it is");
      }
    }
    return new Remedy.Change(onlyStoredVersion(versions));
  }

  private JsonPatch onlyStoredVersion(List<V1CustomResourceDefinitionVersion> versions) {
    List<Operation> operations = new ArrayList<>();
    operations.add(test(SERVICE + "namespace", service.namespace()));
    operations.add(test(SERVICE + "name", service.name()));
    for (int index = 0; index < versions.size(); index++) {
      V1CustomResourceDefinitionVersion version = versions.get(index);
      if (!version.getStorage()) {
        String path = "/spec/versions/" + index;
        operations.add(test(path + "/name", version.getName()));
        operations.add(new Operation(Kind.REPLACE, path + "/served", new JsonPrimitive(false)));
      }
    }
    JsonObject none = new JsonObject();
    none.addProperty("strategy", "None");
    operations.add(new Operation(Kind.REPLACE, "/spec/conversion", none));
    return new JsonPatch(operations);
  }

  private static Operation test(String path, String value) {
    return new Operation(Kind.TEST, path, new JsonPrimitive(value));
  }

  @Override
  public String problem() {
    return "the definition "
        + name
        + " could not be changed: another client changed it, or the API server did not answer";
  }
}
