// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Converts a configuration of {@code v1beta1} to {@code v1beta2}: blocks with a switch are removed
 * if it is off, and get the defaults of {@code v1beta1} if it is on; two keys that no longer exist
 * are dropped. What is removed or dropped is reported as unused.
 */
final class OlderConfiguration {
  static final String VERSION = "config.kueue.x-k8s.io/v1beta1";

  private static final String WAIT = "waitForPodsReady";
  private static final String SHARING = "fairSharing";
  private static final String STRATEGIES = "preemptionStrategies";
  private static final List<String> WAIT_KEYS =
      List.of("enable", "timeout", "blockAdmission", "recoveryTimeout", "requeuingStrategy");

  private OlderConfiguration() {}

  /**
   * The configuration in the newer version, with the line numbers of the original.
   *
   * @param unused the keys that have no effect; those that are dropped are added
   * @throws InvalidConfigurationException for a switch that is neither true nor false, and for an
   *     unknown key in a removed block
   */
  static MappingNode upgraded(MappingNode older, List<String> unused) {
    List<NodeTuple> tuples = new ArrayList<>();
    for (NodeTuple tuple : older.getValue()) {
      Node value = tuple.getValueNode();
      switch (key(tuple)) {
        case "queueVisibility" -> unused.add("queueVisibility (v1beta1 alone has it)");
        case "integrations" ->
            tuples.add(
                value instanceof MappingNode block
                    ? with(tuple, withoutPodOptions(block, unused))
                    : tuple);
        case WAIT ->
            waitForPodsReady(value, unused).ifPresent(found -> tuples.add(with(tuple, found)));
        case SHARING ->
            fairSharing(value, unused).ifPresent(found -> tuples.add(with(tuple, found)));
        default -> tuples.add(tuple);
      }
    }
    return mapping(older, tuples);
  }

  private static Optional<Node> waitForPodsReady(Node value, List<String> unused) {
    if (!(value instanceof MappingNode block)) {
      return Optional.of(value);
    }
    if (!enabled(WAIT, block, WAIT_KEYS, unused)) {
      return Optional.empty();
    }
    MappingNode rest = without(block, "enable");
    List<NodeTuple> tuples = new ArrayList<>(rest.getValue());
    addMissing(tuples, rest, "timeout", scalar(rest, Tag.STR, "5m"));
    addMissing(tuples, rest, "blockAdmission", scalar(rest, Tag.BOOL, "true"));
    return Optional.of(mapping(rest, tuples));
  }

  private static Optional<Node> fairSharing(Node value, List<String> unused) {
    if (!(value instanceof MappingNode block)) {
      return Optional.of(value);
    }
    if (!enabled(SHARING, block, List.of("enable", STRATEGIES), unused)) {
      return Optional.empty();
    }
    MappingNode rest = without(block, "enable");
    List<NodeTuple> tuples = new ArrayList<>(rest.getValue());
    List<Node> both =
        Arrays.stream(FairSharingBlock.words()).map(word -> scalar(rest, Tag.STR, word)).toList();
    addMissing(
        tuples,
        rest,
        STRATEGIES,
        new SequenceNode(
            Tag.SEQ, true, both, rest.getStartMark(), rest.getEndMark(), FlowStyle.FLOW));
    return Optional.of(mapping(rest, tuples));
  }

  /** Whether a block's switch is on; otherwise its other keys are reported. */
  private static boolean enabled(
      String path, MappingNode block, List<String> known, List<String> unused) {
    boolean enabled = false;
    for (NodeTuple tuple : block.getValue()) {
      String key = key(tuple);
      String at = "line " + (tuple.getKeyNode().getStartMark().getLine() + 1) + ": " + path + ".";
      if (!known.contains(key)) {
        throw new InvalidConfigurationException(
            at
                + key
                + " is not a known key"
                + NearestName.of(key, known)
                    .map(nearest -> "; did you mean \"" + nearest + "\"?")
                    .orElse("; known here: " + String.join(", ", known)));
      }
      if (key.equals("enable")) {
        if (!(tuple.getValueNode() instanceof ScalarNode flag) || !Tag.BOOL.equals(flag.getTag())) {
          throw new InvalidConfigurationException(at + key + " must be true or false");
        }
        enabled = YamlBlock.isTrue(flag);
      }
    }
    if (!enabled) {
      block.getValue().stream()
          .map(OlderConfiguration::key)
          .filter(key -> !key.equals("enable"))
          .forEach(key -> unused.add(path + "." + key + " (enable is not true)"));
    }
    return enabled;
  }

  private static MappingNode withoutPodOptions(MappingNode block, List<String> unused) {
    if (block.getValue().stream().anyMatch(tuple -> key(tuple).equals("podOptions"))) {
      unused.add(
          "integrations.podOptions (v1beta1 alone has it; managedJobsNamespaceSelector says which"
              + " namespaces are managed)");
    }
    return without(block, "podOptions");
  }

  private static MappingNode without(MappingNode block, String dropped) {
    return mapping(
        block, block.getValue().stream().filter(tuple -> !key(tuple).equals(dropped)).toList());
  }

  private static NodeTuple with(NodeTuple tuple, Node value) {
    return new NodeTuple(tuple.getKeyNode(), value);
  }

  private static void addMissing(
      List<NodeTuple> tuples, MappingNode block, String key, Node value) {
    if (tuples.stream().noneMatch(tuple -> key(tuple).equals(key))) {
      tuples.add(new NodeTuple(scalar(block, Tag.STR, key), value));
    }
  }

  private static String key(NodeTuple tuple) {
    return tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
  }

  private static Node scalar(Node where, Tag tag, String text) {
    return new ScalarNode(tag, text, where.getStartMark(), where.getEndMark(), ScalarStyle.PLAIN);
  }

  private static MappingNode mapping(MappingNode like, List<NodeTuple> tuples) {
    return new MappingNode(
        like.getTag(), true, tuples, like.getStartMark(), like.getEndMark(), like.getFlowStyle());
  }
}
