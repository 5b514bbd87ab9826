// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Installs CustomResourceDefinitions through the API. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Definitions {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int POLLS = 300;

  private Definitions() {}

  /**
   * Creates or updates the kinds of {@code kueue.x-k8s.io}, all their versions, and waits until
   * they are served. Some kinds need a core's webhook to convert them.
   */
  public static void installKueue(KubernetesApi api) {
    Crds.kueue().forEach(yaml -> install(api, tree(yaml)));
    KueueTypes.ALL.forEach(type -> awaitServed(api, type));
  }

  /**
   * Like {@link #installKueue}, for a core that serves no webhook: versions that would have to be
   * converted are not served. An API server fills a cache for each version that is served; without
   * a conversion webhook it lists all objects about once a second and never succeeds.
   *
   * <p>They stay served where the conversion webhook of another program is registered, and where
   * objects may be stored in them: an object that is read in its stored version needs no
   * conversion.
   *
   * @return what the kinds are called whose other versions are not served now
   */
  public static List<String> installKueueUnconverted(KubernetesApi api) {
    List<String> unserved = new ArrayList<>();
    for (String yaml : Crds.kueue()) {
      JsonObject definition = tree(yaml);
      if (needsWebhook(definition) && !isConvertedOrStored(api, definition)) {
        serveStoredVersionOnly(definition);
        unserved.add(
            definition
                .getAsJsonObject("spec")
                .getAsJsonObject("names")
                .get("plural")
                .getAsString());
      }
      install(api, definition);
    }
    KueueTypes.ALL.forEach(type -> awaitServed(api, type));
    return unserved;
  }

  private static boolean needsWebhook(JsonObject definition) {
    JsonObject conversion = definition.getAsJsonObject("spec").getAsJsonObject("conversion");
    return conversion != null && "Webhook".equals(conversion.get("strategy").getAsString());
  }

  /**
   * Whether a registered webhook converts the definition's objects, or v1beta1 objects are stored.
   * A webhook that is in use has entered its authority (caBundle) for the API server to trust.
   */
  private static boolean isConvertedOrStored(KubernetesApi api, JsonObject definition) {
    Optional<V1CustomResourceDefinition> present =
        api.get(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key(definition));
    boolean converted =
        present
            .map(found -> found.getSpec().getConversion())
            .map(conversion -> conversion.getWebhook())
            .map(webhook -> webhook.getClientConfig())
            .map(client -> client.getCaBundle())
            .filter(bundle -> bundle.length > 0)
            .isPresent();
    return converted
        || present
            .map(found -> found.getStatus())
            .map(status -> status.getStoredVersions())
            .filter(versions -> !storedVersion(definition).containsAll(versions))
            .isPresent();
  }

  private static Set<String> storedVersion(JsonObject definition) {
    Set<String> stored = new HashSet<>();
    for (JsonElement version : definition.getAsJsonObject("spec").getAsJsonArray("versions")) {
      if (version.getAsJsonObject().get("storage").getAsBoolean()) {
        stored.add(version.getAsJsonObject().get("name").getAsString());
      }
    }
    return stored;
  }

  private static void serveStoredVersionOnly(JsonObject definition) {
    for (JsonElement version : definition.getAsJsonObject("spec").getAsJsonArray("versions")) {
      boolean stored = version.getAsJsonObject().get("storage").getAsBoolean();
      version.getAsJsonObject().addProperty("served", stored);
    }
  }

  private static ObjectKey key(JsonObject definition) {
    return ObjectKey.cluster(definition.getAsJsonObject("metadata").get("name").getAsString());
  }

  /** Creates what others install in a real cluster, unless it is there: ProvisioningRequest. */
  public static void installExternal(KubernetesApi api) {
    if (!api.serves(KueueTypes.PROVISIONING_REQUEST)) {
      Crds.external().forEach(yaml -> install(api, tree(yaml)));
      awaitServed(api, KueueTypes.PROVISIONING_REQUEST);
    }
  }

  private static JsonObject tree(String yaml) {
    return KueueJson.toTree(new Yaml(new SafeConstructor(new LoaderOptions())).<Object>load(yaml))
        .getAsJsonObject();
  }

  private static void install(KubernetesApi api, JsonObject tree) {
    try {
      api.create(
          CoreTypes.CUSTOM_RESOURCE_DEFINITION,
          KueueJson.fromTree(tree, V1CustomResourceDefinition.class));
    } catch (KubernetesApiException.AlreadyExists existing) {
      JsonObject change = new JsonObject();
      change.add("spec", tree.get("spec"));
      api.patch(CoreTypes.CUSTOM_RESOURCE_DEFINITION, key(tree), new MergePatch(change));
    }
  }

  private static void awaitServed(KubernetesApi api, ResourceType<? extends ApiObject> type) {
    for (int poll = 0; poll < POLLS; poll++) {
      if (api.serves(type)) {
        return;
      }
      pause();
    }
    throw new IllegalStateException(
        "the server does not serve %s although its definition was installed; see 'kubectl describe crd %s'"
            .formatted(type, type.qualifiedName()));
  }

  private static void pause() {
    CountDownLatch done = new CountDownLatch(1);
    try (TimeSource time = TimeSource.system()) {
      time.after(POLL, done::countDown);
      if (!done.await(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the system's timer did not run");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for definitions", e);
    }
  }
}
