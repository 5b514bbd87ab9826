// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.tree.Trees;
import io.github.kueue4j.apiserver.webhook.ClientConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * One webhook of a configuration.
 *
 * @param config how to reach it; empty names no server
 * @param ignorable whether a write goes on if the webhook can't be asked
 * @param harmless whether it may be asked about dry runs
 * @param timeout for one call
 * @param again whether it is asked again after others changed the object
 */
record Webhook(
    String name,
    ClientConfig config,
    Matching.Wanted wanted,
    Conditions conditions,
    boolean ignorable,
    boolean harmless,
    Duration timeout,
    boolean again) {
  private static final int DEFAULT_TIMEOUT_SECONDS = 10;
  private static final Set<String> HARMLESS = Set.of("None", "NoneOnDryRun");

  static Webhook read(JsonNode webhook) {
    return new Webhook(
        Trees.text(webhook, "name"),
        ClientConfig.read(webhook.path("clientConfig")),
        Matching.Wanted.read(webhook, "rules"),
        Conditions.read(webhook.path("matchConditions")),
        Trees.text(webhook, "failurePolicy").equals("Ignore"),
        HARMLESS.contains(Trees.text(webhook, "sideEffects")),
        Duration.ofSeconds(webhook.path("timeoutSeconds").asInt(DEFAULT_TIMEOUT_SECONDS)),
        Trees.text(webhook, "reinvocationPolicy").equals("IfNeeded"));
  }

  /** The webhooks of some configurations, in the order in which they are asked. */
  static List<Webhook> of(List<? extends JsonNode> configurations) {
    return configurations.stream()
        .flatMap(configuration -> configuration.path("webhooks").valueStream())
        .map(Webhook::read)
        .toList();
  }
}
