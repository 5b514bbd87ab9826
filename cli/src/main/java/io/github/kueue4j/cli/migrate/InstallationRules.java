// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.cli.migrate.ClusterFacts.ConfigurationText;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.core.webhook.WebhookRegistration;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The findings about the installation: definitions, releases, the running core, its files. */
final class InstallationRules {
  /** Older API servers don't know the selectable fields of the definitions. */
  private static final int OLDEST_MINOR = 30;

  private static final Pattern MINOR = Pattern.compile("v?1\\.(\\d+).*");
  private static final String OWN_MANAGER = "kueue-core";
  private static final String OWN_CHART = "kueue-core-";

  private InstallationRules() {}

  static List<Finding> findings(ClusterFacts facts, Direction direction) {
    List<Finding> findings = new ArrayList<>();
    storedVersions(facts, findings);
    releases(facts, findings);
    whereabouts(facts, findings);
    appliers(facts, findings);
    if (direction == Direction.IN) {
      serverVersion(facts, findings);
      facts.configuration().ifPresent(text -> configuration(text, findings));
      managers(facts, false, findings);
      webhooks(facts, findings);
      visibility(facts, findings);
      statusOwners(facts, findings);
    } else {
      managers(facts, true, findings);
    }
    return findings;
  }

  /** A core in another namespace would leave out what stands in its way. */
  private static void whereabouts(ClusterFacts facts, List<Finding> findings) {
    if (facts.managers().isEmpty() && facts.configuration().isEmpty()) {
      findings.add(
          Finding.step(
              "namespace " + facts.namespace(),
              "No core and no configuration of one was found there, so neither was examined.",
              "Give the namespace of the core with --namespace, or its configuration with --config,"
                  + " if there is one."));
    }
  }

  private static void serverVersion(ClusterFacts facts, List<Finding> findings) {
    Matcher matcher = MINOR.matcher(facts.version());
    if (matcher.matches() && Integer.parseInt(matcher.group(1)) < OLDEST_MINOR) {
      findings.add(
          Finding.blocks(
              "the API server",
              "It is " + facts.version() + ".",
              "Kubernetes 1." + OLDEST_MINOR + " or newer is needed."));
    }
  }

  private static void storedVersions(ClusterFacts facts, List<Finding> findings) {
    List<String> older =
        facts.definitions().stream()
            .filter(StorageMigration::concerns)
            .filter(StorageMigration::isNeeded)
            .map(InstallationRules::name)
            .toList();
    if (!older.isEmpty()) {
      findings.add(
          Finding.blocks(
              "CustomResourceDefinitions " + String.join(", ", older),
              "Some objects may be stored in another version than "
                  + KueueTypes.VERSION
                  + ", and can be read only while a core converts them.",
              "While the present core runs: kueue4j migrate storage."));
    }
  }

  private static void releases(ClusterFacts facts, List<Finding> findings) {
    for (HelmRelease release : facts.releases()) {
      if (!release.doomedDefinitions().isEmpty()) {
        findings.add(
            Finding.step(
                "Helm release " + release.namespace() + "/" + release.name(),
                "Its manifest has "
                    + String.join(", ", release.doomedDefinitions())
                    + " without helm.sh/resource-policy: keep, so 'helm uninstall' would delete every"
                    + " object of these kinds, whatever stands on the definitions now.",
                "Never uninstall it; have Helm forget it instead: kubectl delete secret -n %s -l owner=helm,name=%s."
                    .formatted(release.namespace(), release.name())));
      }
    }
  }

  private static void configuration(ConfigurationText text, List<Finding> findings) {
    try {
      report(text, Configuration.parse(text.yaml()), findings);
    } catch (InvalidConfigurationException refused) {
      findings.add(
          Finding.blocks(
              text.origin(),
              String.valueOf(refused.getMessage()) + ".",
              "Change the text before this core gets it."));
      try {
        report(
            text,
            Configuration.parse(text.yaml(), Launch.plain().ignoringUnsupported(true)),
            findings);
      } catch (InvalidConfigurationException another) {
        // It is refused for another reason, too, which the first message doesn't name.
        if (!String.valueOf(another.getMessage()).equals(refused.getMessage())) {
          findings.add(
              Finding.blocks(
                  text.origin(),
                  String.valueOf(another.getMessage()) + ".",
                  "Change the text before this core gets it."));
        }
      }
    }
  }

  private static void report(
      ConfigurationText text, Configuration configuration, List<Finding> findings) {
    if (!configuration.unusedKeys().isEmpty()) {
      findings.add(
          Finding.changes(
              text.origin(),
              "Nothing acts on " + String.join(", ", configuration.unusedKeys()) + ".",
              "Remove these keys, or leave them for the way back."));
    }
  }

  private static void managers(ClusterFacts facts, boolean own, List<Finding> findings) {
    for (V1Deployment manager : facts.managers()) {
      int replicas = Optional.ofNullable(manager.getSpec().getReplicas()).orElse(1);
      if (isOwn(manager) == own && replicas > 0) {
        String name = String.valueOf(manager.getMetadata().getName());
        findings.add(
            Finding.step(
                "Deployment " + facts.namespace() + "/" + name,
                "It runs "
                    + replicas
                    + (replicas == 1 ? " replica of " : " replicas of ")
                    + image(manager)
                    + ".",
                "Stop it before the other core starts: kubectl scale deployment -n %s %s --replicas=0."
                    .formatted(facts.namespace(), name)));
      }
    }
  }

  private static void webhooks(ClusterFacts facts, List<Finding> findings) {
    boolean ownRuns = facts.managers().stream().anyMatch(InstallationRules::isOwn);
    for (ClusterFacts.Registration registration : facts.webhooks()) {
      if (ownRuns) {
        leftovers(registration, findings);
        continue;
      }
      findings.add(
          Finding.step(
              registration.kind() + " " + registration.name(),
              "It asks the Service "
                  + registration.service()
                  + ", which has no pods once the core is stopped.",
              "Delete it when the core is stopped, or no queue can be created any more: kubectl delete %s %s."
                  .formatted(registration.kind().toLowerCase(Locale.ROOT), registration.name())));
    }
  }

  /** Helm keeps webhooks of the same object that the new chart doesn't have. */
  private static void leftovers(ClusterFacts.Registration registration, List<Finding> findings) {
    List<String> unknown =
        registration.webhooks().stream()
            .filter(name -> !WebhookRegistration.names().contains(name))
            .toList();
    if (!unknown.isEmpty()) {
      findings.add(
          Finding.blocks(
              registration.kind() + " " + registration.name(),
              "It asks this core through the webhooks "
                  + String.join(", ", unknown)
                  + ", which it doesn't serve: what they review, such as pods, can't be created.",
              "Delete it, and have Helm write it again: kubectl delete %s %s, then helm upgrade."
                  .formatted(registration.kind().toLowerCase(Locale.ROOT), registration.name())));
    }
  }

  /** An APIService that nothing answers keeps namespaces from being deleted. */
  private static void visibility(ClusterFacts facts, List<Finding> findings) {
    if (!facts.visibility().isEmpty()) {
      findings.add(
          Finding.step(
              "APIServices " + String.join(", ", facts.visibility()),
              "The other core answers them itself. Once it is stopped no namespace can be deleted.",
              "Delete them when it is stopped: kubectl delete apiservice "
                  + String.join(" ", facts.visibility())
                  + "."));
    }
  }

  /** A core enters the authority of its webhooks; what applies the objects takes it out again. */
  private static void appliers(ClusterFacts facts, List<Finding> findings) {
    facts
        .owners()
        .appliers()
        .forEach(
            (manager, objects) ->
                findings.add(
                    Finding.step(
                        "the field manager " + manager,
                        "It owns fields of "
                            + String.join(", ", objects)
                            + " by server-side apply: it may write back what the core changes there, and"
                            + " another one that applies them gets a conflict.",
                        "Take these objects out of what it applies, or have it ignore"
                            + " spec.conversion and webhooks[*].clientConfig.caBundle; with kubectl"
                            + " apply --server-side, add --force-conflicts.")));
  }

  /** Patches, which aren't server-side apply, take fields over without a conflict. */
  private static void statusOwners(ClusterFacts facts, List<Finding> findings) {
    String owners =
        facts.owners().ofStatus().entrySet().stream()
            .filter(owner -> !owner.getKey().equals(OWN_MANAGER))
            .map(owner -> owner.getKey() + " (" + owner.getValue() + ")")
            .sorted()
            .collect(Collectors.joining(", "));
    if (!owners.isEmpty()) {
      findings.add(
          Finding.changes(
              "the status of Workloads",
              "Its fields belong to the field managers " + owners + ".",
              "What this core writes becomes "
                  + OWN_MANAGER
                  + "'s, without a conflict; the rest stays theirs."));
    }
  }

  private static boolean isOwn(V1Deployment manager) {
    return Metadata.labels(manager).getOrDefault("helm.sh/chart", "").startsWith(OWN_CHART);
  }

  private static String image(V1Deployment manager) {
    return manager.getSpec().getTemplate().getSpec().getContainers().stream()
        .map(container -> String.valueOf(container.getImage()))
        .findFirst()
        .orElse("no image");
  }

  private static String name(V1CustomResourceDefinition definition) {
    return String.valueOf(definition.getMetadata().getName());
  }
}
