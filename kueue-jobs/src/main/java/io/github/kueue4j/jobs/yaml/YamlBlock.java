// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.yaml;

import io.github.kueue4j.api.NearestName;
import io.github.kueue4j.api.time.GoDuration;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * One mapping of a YAML file, read key by key. Every key that a getter reads counts as known;
 * {@link #close()} refuses all others. So the list of known keys can't diverge from the code that
 * reads them.
 */
@API(status = API.Status.INTERNAL)
public final class YamlBlock implements AutoCloseable {
  private static final Set<String> TRUE = Set.of("true", "yes", "on");

  private final String path;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  /** Where it begins; 0 for an absent block. */
  private final int line;

  private final List<String> unused;

  private YamlBlock(String path, @Nullable MappingNode node, List<String> unused) {
    this.path = path;
    this.unused = unused;
    this.line = node == null ? 0 : node.getStartMark().getLine() + 1;
    if (node == null) {
      return;
    }
    for (NodeTuple tuple : node.getValue()) {
      String key = scalar(child("?"), tuple.getKeyNode());
      if (values.put(key, tuple.getValueNode()) != null) {
        throw invalid(child(key), tuple.getKeyNode(), "is given twice; remove one of them");
      }
      lines.put(key, tuple.getKeyNode().getStartMark().getLine() + 1);
    }
  }

  /**
   * The mapping that is a file's root.
   *
   * @param unused gets the keys that are accepted without effect
   */
  public static YamlBlock root(MappingNode node, List<String> unused) {
    return new YamlBlock("", node, unused);
  }

  /**
   * Parses a file.
   *
   * @throws InvalidConfigurationException if it isn't YAML; names the line
   */
  public static Node compose(String yaml) {
    try {
      return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(yaml));
    } catch (MarkedYAMLException e) {
      throw new InvalidConfigurationException(
          "line "
              + (e.getProblemMark() == null ? "?" : e.getProblemMark().getLine() + 1)
              + ": not valid YAML: "
              + e.getProblem(),
          e);
    } catch (YAMLException e) {
      throw new InvalidConfigurationException(
          "not valid YAML: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
    }
  }

  public boolean has(String key) {
    known.add(key);
    return find(key).isPresent();
  }

  /** A nested mapping; an absent one reads as empty, so that defaults need no separate code. */
  public YamlBlock block(String key) {
    Node node = find(key).orElse(null);
    if (node != null && !(node instanceof MappingNode)) {
      throw invalid(child(key), node, "must be a mapping of keys to values");
    }
    return new YamlBlock(child(key), (MappingNode) node, unused);
  }

  public Optional<String> text(String key) {
    return find(key).map(node -> scalar(child(key), node));
  }

  public String text(String key, String fallback) {
    return text(key).orElse(fallback);
  }

  public String oneOf(String key, String fallback, String... allowed) {
    String value = text(key, fallback);
    if (!List.of(allowed).contains(value)) {
      throw invalid(key, "is " + quote(value) + "; allowed: " + String.join(", ", allowed));
    }
    return value;
  }

  public boolean flag(String key, boolean fallback) {
    Optional<Node> node = find(key);
    return node.map(value -> flag(child(key), value)).orElse(fallback);
  }

  private boolean flag(String where, Node node) {
    if (node instanceof ScalarNode value && Tag.BOOL.equals(value.getTag())) {
      return isTrue(value);
    }
    throw invalid(where, node, "must be true or false");
  }

  /** Tells which of YAML's truth values it is; to YAML 1.1, yes and on are such, too. */
  public static boolean isTrue(ScalarNode flag) {
    return TRUE.contains(flag.getValue().toLowerCase(Locale.ROOT));
  }

  public int number(String key, int fallback) {
    return find(key)
        .map(
            node -> {
              try {
                return Integer.parseInt(scalar(child(key), node));
              } catch (NumberFormatException e) {
                throw invalid(child(key), node, "must be a whole number of at most 32 bits");
              }
            })
        .orElse(fallback);
  }

  public double decimal(String key, double fallback) {
    return find(key)
        .map(
            node -> {
              try {
                return Double.parseDouble(scalar(child(key), node));
              } catch (NumberFormatException e) {
                throw invalid(child(key), node, "must be a number");
              }
            })
        .orElse(fallback);
  }

  /** A duration in Go's notation, such as {@code 1h30m}, {@code 15s} or {@code 250ms}. */
  public Duration duration(String key, Duration fallback) {
    Node node = find(key).orElse(null);
    if (node == null) {
      return fallback;
    }
    String text = scalar(child(key), node);
    if (!GoDuration.isDuration(text)) {
      throw invalid(
          child(key),
          node,
          "is not a duration; write numbers with units, such as 1h30m, 15s or 250ms");
    }
    return GoDuration.parse(text);
  }

  public List<String> texts(String key, List<String> fallback) {
    Node node = find(key).orElse(null);
    if (node == null) {
      return fallback;
    }
    List<String> result = new ArrayList<>();
    for (Node item : sequence(key, node).getValue()) {
      result.add(scalar(child(key) + "[" + result.size() + "]", item));
    }
    return List.copyOf(result);
  }

  public List<YamlBlock> blocks(String key) {
    Node node = find(key).orElse(null);
    if (node == null) {
      return List.of();
    }
    List<YamlBlock> result = new ArrayList<>();
    for (Node item : sequence(key, node).getValue()) {
      String where = child(key) + "[" + result.size() + "]";
      if (!(item instanceof MappingNode mapping)) {
        throw invalid(where, item, "must be a mapping of keys to values");
      }
      result.add(new YamlBlock(where, mapping, unused));
    }
    return result;
  }

  /** All entries of a mapping with free keys. */
  public Map<String, Boolean> flags(String key) {
    YamlBlock block = block(key);
    Map<String, Boolean> result = new LinkedHashMap<>();
    block.values.forEach((name, node) -> result.put(name, block.flag(block.child(name), node)));
    return result;
  }

  public Map<String, Integer> numbers(String key) {
    YamlBlock block = block(key);
    Map<String, Integer> result = new LinkedHashMap<>();
    block.values.keySet().forEach(name -> result.put(name, block.number(name, 0)));
    return result;
  }

  public Map<String, Double> decimals(String key) {
    YamlBlock block = block(key);
    Map<String, Double> result = new LinkedHashMap<>();
    block.values.keySet().forEach(name -> result.put(name, block.decimal(name, 0)));
    return result;
  }

  public Map<String, String> textMap(String key) {
    YamlBlock block = block(key);
    Map<String, String> result = new LinkedHashMap<>();
    block.values.forEach((name, node) -> result.put(name, scalar(block.child(name), node)));
    return result;
  }

  /** Accepts and reports keys that the API defines but that have no effect yet. */
  public void acceptUnused(String... keys) {
    for (String key : keys) {
      if (has(key)) {
        unused.add(child(key));
      }
    }
  }

  /** Accepts a key whose value has no effect, and reports it with the reason. */
  public void reportUnused(String key, String why) {
    report(child(key) + " (" + why + ")");
  }

  /** Accepts a key whose value can't be of use, and reports that as {@link #invalid} says it. */
  public void reportInvalid(String key, String problem) {
    report(String.valueOf(invalid(key, problem).getMessage()));
  }

  private void report(String about) {
    // Several getters may find the same key.
    if (!unused.contains(about)) {
      unused.add(about);
    }
  }

  /** Reports each key that is set as one without effect, but for some. */
  public void reportUnusedBut(Set<String> others, String why) {
    values.forEach(
        (key, node) -> {
          if (!others.contains(key) && !isNull(node)) {
            reportUnused(key, why);
          }
        });
  }

  /** Refuses a key that has another place here. */
  public void refuseMoved(String key, String place) {
    if (values.containsKey(key)) {
      throw invalid(key, "is not a known key; write " + place + " instead");
    }
  }

  public InvalidConfigurationException invalid(String key, String problem) {
    Integer line = lines.get(key);
    return new InvalidConfigurationException(
        (line == null ? "" : "line " + line + ": ") + child(key) + " " + problem);
  }

  /** The error that a key is missing. */
  public InvalidConfigurationException missing(String key, String what) {
    int where = lines.getOrDefault(key, line);
    return new InvalidConfigurationException(
        (where == 0 ? "" : "line " + where + ": ") + child(key) + " is missing; write " + what);
  }

  /** Refuses keys that no getter has read. */
  @Override
  public void close() {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        throw invalid(
            key,
            "is not a known key"
                + NearestName.of(key, known)
                    .map(nearest -> "; did you mean " + quote(nearest) + "?")
                    .orElse("; known here: " + String.join(", ", known)));
      }
    }
  }

  private Optional<Node> find(String key) {
    known.add(key);
    Node node = values.get(key);
    if (node == null || !isNull(node)) {
      return Optional.ofNullable(node);
    }
    // An explicit null means "not set", as everywhere in the Kubernetes API.
    reportUnused(key, "without a value it counts as absent; write {} for a block of defaults");
    return Optional.empty();
  }

  private static boolean isNull(Node node) {
    return Tag.NULL.equals(node.getTag());
  }

  private SequenceNode sequence(String key, Node node) {
    if (node instanceof SequenceNode sequence) {
      return sequence;
    }
    throw invalid(child(key), node, "must be a list");
  }

  private static String scalar(String where, Node node) {
    if (node instanceof ScalarNode value) {
      return value.getValue();
    }
    throw invalid(where, node, "must be a single value");
  }

  private String child(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private static InvalidConfigurationException invalid(String where, Node node, String problem) {
    return new InvalidConfigurationException(
        "line " + (node.getStartMark().getLine() + 1) + ": " + where + " " + problem);
  }

  private static String quote(String text) {
    return "\"" + text + "\"";
  }
}
