// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example of the module's README: a controller of the official client against the server. */
class GreetingControllerTest {
  // @start region=controller
  private static final String GREETINGS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: greetings.example.com}
      spec:
        group: example.com
        names: {kind: Greeting, plural: greetings}
        scope: Namespaced
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, required: [to], properties: {to: {type: string}}}
                status: {type: object, properties: {text: {type: string}}}
      """;

  /** Says hello to {@code spec.to} in {@code status.text}. */
  private static Controller greeter(
      SharedInformerFactory informers, DynamicKubernetesApi greetings) {
    var cache = informers.sharedIndexInformerFor(greetings, DynamicKubernetesObject.class, 0);
    Reconciler reconciler =
        request -> {
          String key = request.getNamespace() + "/" + request.getName();
          DynamicKubernetesObject greeting = cache.getIndexer().getByKey(key);
          if (greeting == null) {
            return new Result(false); // It was deleted.
          }
          String to = greeting.getRaw().getAsJsonObject("spec").get("to").getAsString();
          V1Patch patch = new V1Patch("{\"status\": {\"text\": \"Hello, " + to + "!\"}}");
          greetings.patch(
              request.getNamespace(),
              request.getName(),
              V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
              patch);
          return new Result(false);
        };
    return ControllerBuilder.defaultBuilder(informers)
        .watch(
            queue ->
                ControllerBuilder.controllerWatchBuilder(DynamicKubernetesObject.class, queue)
                    .build())
        .withReconciler(reconciler)
        .build();
  }

  // @end region=controller

  // @start region=test
  @Test
  void greets() throws InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.apply(GREETINGS);
      ApiClient client = Config.fromUrl(server.uri().toString()).setReadTimeout(0);
      var greetings = new DynamicKubernetesApi("example.com", "v1", "greetings", client);
      SharedInformerFactory informers = new SharedInformerFactory(client);
      Controller controller = greeter(informers, greetings);
      informers.startAllRegisteredInformers();
      Thread running = Thread.startVirtualThread(controller);
      try {
        server.apply(
            "{apiVersion: example.com/v1, kind: Greeting, metadata: {name: a}, spec: {to: Ada}}");
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(object(greetings, "a")).contains("Hello, Ada!"));
      } finally {
        controller.shutdown();
        running.interrupt();
        running.join();
        informers.stopAllRegisteredInformers();
      }
    }
  }

  private static String object(DynamicKubernetesApi api, String name) {
    return api.get("default", name).getObject().getRaw().toString();
  }

  // @end region=test
}
