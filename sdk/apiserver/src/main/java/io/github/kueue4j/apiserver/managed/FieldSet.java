// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths in the form in which the API writes it down ({@code FieldsV1}): a tree of steps
 * {@code f:field}, {@code k:{keys}} and {@code v:value}. A step without anything below is in the
 * set; one with steps below it is if it has a dot, too. Sets share subtrees and never change.
 *
 * @param json the tree; empty for the empty set
 */
@API(status = API.Status.INTERNAL)
public record FieldSet(ObjectNode json) {
  static final FieldSet EMPTY = new FieldSet(Trees.empty());

  private static final String ITSELF = ".";

  /** As the API orders steps: the place itself, fields, keys, values. */
  private static final Comparator<String> ORDER =
      Comparator.<String>comparingInt(step -> ".fkvi".indexOf(step.charAt(0)))
          .thenComparing(Comparator.naturalOrder());

  boolean isEmpty() {
    return json.isEmpty();
  }

  /** Whether the place that a node stands for is in the set, not only places below it. */
  static boolean isMember(JsonNode node) {
    return node.isEmpty() || node.has(ITSELF);
  }

  FieldSet union(FieldSet other) {
    if (isEmpty()) {
      return other;
    }
    return of(json, other.isEmpty() ? json : union(json, other.json));
  }

  FieldSet without(FieldSet other) {
    if (isEmpty() || other.isEmpty()) {
      return this;
    }
    ObjectNode left = without(json, other.json, false);
    return left == null ? EMPTY : of(json, left);
  }

  FieldSet intersection(FieldSet other) {
    if (isEmpty() || other.isEmpty()) {
      return EMPTY;
    }
    ObjectNode common = intersection(json, other.json, false);
    return common == null ? EMPTY : of(json, common);
  }

  @SuppressWarnings("ReferenceEquality") // Only saves an object.
  private FieldSet of(ObjectNode before, ObjectNode after) {
    return before == after ? this : new FieldSet(after);
  }

  @SuppressWarnings("ReferenceEquality") // Shared subtrees are what makes this cheap.
  private static ObjectNode union(ObjectNode one, ObjectNode other) {
    if (one == other) {
      return one;
    }
    TreeMap<String, JsonNode> steps = null;
    for (Map.Entry<String, JsonNode> entry : other.properties()) {
      JsonNode mine = one.get(entry.getKey());
      JsonNode both = mine == null ? entry.getValue() : below(mine, entry.getValue());
      if (both != mine) {
        steps = steps == null ? steps(one) : steps;
        steps.put(entry.getKey(), both);
      }
    }
    return steps == null ? one : tree(steps);
  }

  /** The union below one step, where an empty tree is no empty set. */
  private static JsonNode below(JsonNode one, JsonNode other) {
    ObjectNode mine = (ObjectNode) one;
    ObjectNode theirs = (ObjectNode) other;
    if (theirs.isEmpty()) {
      return withItself(mine);
    }
    return mine.isEmpty() ? withItself(theirs) : union(mine, theirs);
  }

  static ObjectNode withItself(ObjectNode node) {
    if (isMember(node)) {
      return node;
    }
    ObjectNode result = Trees.empty();
    result.putObject(ITSELF);
    result.setAll(node);
    return result;
  }

  @SuppressWarnings("ReferenceEquality") // Tells whether something went.
  private static @Nullable ObjectNode without(ObjectNode from, ObjectNode what, boolean inner) {
    boolean member = inner && isMember(from) && !isMember(what);
    boolean same = member == (inner && isMember(from));
    TreeMap<String, JsonNode> left = new TreeMap<>(ORDER);
    for (Map.Entry<String, JsonNode> entry : from.properties()) {
      if (entry.getKey().equals(ITSELF)) {
        continue;
      }
      JsonNode minus = what.get(entry.getKey());
      JsonNode rest =
          minus == null
              ? entry.getValue()
              : without((ObjectNode) entry.getValue(), (ObjectNode) minus, true);
      if (rest != null) {
        left.put(entry.getKey(), rest);
      }
      same &= rest == entry.getValue();
    }
    return same ? from : node(left, member);
  }

  private static @Nullable ObjectNode intersection(
      ObjectNode one, ObjectNode other, boolean inner) {
    boolean member = inner && isMember(one) && isMember(other);
    TreeMap<String, JsonNode> common = new TreeMap<>(ORDER);
    for (Map.Entry<String, JsonNode> entry : one.properties()) {
      JsonNode theirs = other.get(entry.getKey());
      if (theirs != null && !entry.getKey().equals(ITSELF)) {
        ObjectNode both = intersection((ObjectNode) entry.getValue(), (ObjectNode) theirs, true);
        if (both != null) {
          common.put(entry.getKey(), both);
        }
      }
    }
    return node(common, member);
  }

  private static @Nullable ObjectNode node(TreeMap<String, JsonNode> steps, boolean member) {
    if (steps.isEmpty()) {
      return member ? Trees.empty() : null;
    }
    if (member) {
      steps.put(ITSELF, Trees.empty());
    }
    return tree(steps);
  }

  private static TreeMap<String, JsonNode> steps(ObjectNode node) {
    TreeMap<String, JsonNode> steps = new TreeMap<>(ORDER);
    node.properties().forEach(entry -> steps.put(entry.getKey(), entry.getValue()));
    return steps;
  }

  private static ObjectNode tree(TreeMap<String, JsonNode> steps) {
    ObjectNode result = Trees.empty();
    steps.forEach(result::set);
    return result;
  }

  /** A copy of a tree of steps in the API's order. */
  static ObjectNode sorted(ObjectNode node) {
    TreeMap<String, JsonNode> steps = new TreeMap<>(ORDER);
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      ObjectNode below = (ObjectNode) entry.getValue();
      steps.put(entry.getKey(), below.isEmpty() ? below : sorted(below));
    }
    return tree(steps);
  }

  /** Whether this is a tree of steps. A client may have sent anything. */
  static boolean isWellFormed(JsonNode node) {
    if (!node.isObject()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String step = entry.getKey();
      boolean known = step.equals(ITSELF) || Step.isWellFormed(step);
      if (!known || !isWellFormed(entry.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** The paths as people read them, such as {@code .spec.containers[name="main"].image}. */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : json.properties()) {
      paths(entry.getKey(), entry.getValue(), "", paths);
    }
    return paths;
  }

  private static void paths(String step, JsonNode node, String parent, List<String> paths) {
    String path = parent + Step.readable(step);
    if (isMember(node)) {
      paths.add(path);
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (!entry.getKey().equals(ITSELF)) {
        paths(entry.getKey(), entry.getValue(), path, paths);
      }
    }
  }

  /** Collects the paths of fields while its user walks an object. */
  static final class Collector {
    private final ObjectNode root = Trees.empty();
    private final List<String> path = new ArrayList<>();

    void enter(String step) {
      path.add(step);
    }

    void leave() {
      path.remove(path.size() - 1);
    }

    /** Adds the place where the walk is; the object itself is no place. */
    void add() {
      ObjectNode node = root;
      for (int i = 0; i < path.size(); i++) {
        boolean last = i == path.size() - 1;
        String step = path.get(i);
        if (node.get(step) instanceof ObjectNode below) {
          if (below.isEmpty() != last) {
            // Either a member gets something below it, or something with parts becomes a member.
            below.putObject(ITSELF);
          }
          node = below;
        } else {
          node = node.putObject(step);
          if (!last) {
            node = fill(node, i + 1);
            return;
          }
        }
      }
    }

    private ObjectNode fill(ObjectNode from, int next) {
      ObjectNode node = from;
      for (int i = next; i < path.size(); i++) {
        node = node.putObject(path.get(i));
      }
      return node;
    }

    FieldSet set() {
      return root.isEmpty() ? EMPTY : new FieldSet(sorted(root));
    }
  }
}
