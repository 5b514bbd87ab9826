/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.testkit.managed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.managed.ManagedFields.Entry;
import io.github.kueue4j.testkit.managed.ManagedFields.Operation;
import io.github.kueue4j.testkit.shape.Shape;
import io.github.kueue4j.testkit.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Decides who owns the fields of an object after a write, and carries server-side apply out. Pure.
 *
 * <p>Source: Kubernetes documentation, "Server-Side Apply"; KEP-555.
 */
@API(status = API.Status.INTERNAL)
public final class Ownership {
  private static final FieldOwner BEFORE_FIRST_APPLY = new FieldOwner("before-first-apply", "", "");

  /** What nobody owns, because the server decides it. */
  private static final FieldSet UNTRACKED = untracked();

  private final Shape shape;
  private final FieldOwner owner;

  /** What a write through this endpoint can change at all; empty for everything but the rest. */
  private final Set<String> within;

  private final Set<String> outside;

  /**
   * @param within top-level fields that a write can change, empty for all
   * @param outside top-level fields that it can't change
   */
  public Ownership(Shape shape, FieldOwner owner, Set<String> within, Set<String> outside) {
    this.shape = shape;
    this.owner = owner;
    this.within = Set.copyOf(within);
    this.outside = Set.copyOf(outside);
  }

  /** What applying an object leads to. */
  public sealed interface Applied {}

  /**
   * It fits.
   *
   * @param object the stored object with what was applied
   */
  public record Merged(ObjectNode object) implements Applied {}

  /** Others own some of the fields and want other values; never empty. */
  public record Conflicts(List<Conflict> conflicts) implements Applied {
    public Conflicts {
      conflicts = List.copyOf(conflicts);
    }
  }

  /** It can't be told who would own what. */
  public record Untypeable(List<String> errors) implements Applied {
    public Untypeable {
      errors = List.copyOf(errors);
    }
  }

  /**
   * A field that somebody else owns.
   *
   * @param manager as messages show it
   * @param path such as {@code .spec.replicas}
   */
  public record Conflict(String manager, String path) {}

  /**
   * Lays an object over the stored one: fields that the manager applied last time and no longer
   * does go, unless somebody else owns them.
   *
   * @param force take over the fields that others own
   */
  public Applied apply(
      ObjectNode stored, ObjectNode applied, ManagedFields managers, boolean force) {
    Fields.Found fields = Fields.of(shape, applied);
    if (!fields.errors().isEmpty()) {
      return new Untypeable(fields.errors());
    }
    ObjectNode merged = Merging.merge(shape, stored, applied);
    FieldSet last = managers.of(owner, Operation.APPLY);
    ObjectNode object =
        prune(merged, last, managers.with(owner, Operation.APPLY, tracked(fields.set()), ""));
    if (!force) {
      List<Conflict> conflicts = conflicts(tracked(compare(stored, object).changed()), managers);
      if (!conflicts.isEmpty()) {
        return new Conflicts(conflicts);
      }
    }
    return new Merged(object);
  }

  private List<Conflict> conflicts(FieldSet changed, ManagedFields managers) {
    List<Conflict> conflicts = new ArrayList<>();
    for (Entry entry : managers.entries()) {
      if (!entry.isOf(owner, Operation.APPLY)) {
        for (String path : entry.fields().intersection(changed).paths()) {
          conflicts.add(new Conflict(entry.readable(), path));
        }
      }
    }
    conflicts.sort(Comparator.comparing(Conflict::manager));
    return conflicts;
  }

  /**
   * Takes out what the manager applied last time, what nobody owns any more, and nothing else.
   *
   * @param managers the manager's new set included
   */
  private ObjectNode prune(ObjectNode merged, FieldSet last, ManagedFields managers) {
    if (last.isEmpty()) {
      return merged;
    }
    FieldSet lastAll = Fields.withParents(shape, last);
    FieldSet all = fieldsOf(merged);
    FieldSet owned = Fields.withParents(shape, managers.all());
    ObjectNode without = Merging.without(shape, merged, lastAll);
    FieldSet unclaimed = all.without(fieldsOf(without).union(owned));
    ObjectNode claimed = Merging.without(shape, merged, unclaimed);
    FieldSet gone = all.without(fieldsOf(claimed)).intersection(lastAll);
    return Merging.without(shape, merged, gone);
  }

  private FieldSet fieldsOf(ObjectNode object) {
    return Fields.withParents(shape, Fields.of(shape, object).set());
  }

  /**
   * The managers after an apply.
   *
   * @param before the stored object, null on a create
   * @param after what is to be stored
   */
  public ManagedFields afterApply(
      ObjectNode before,
      ObjectNode after,
      ObjectNode applied,
      ManagedFields managers,
      Instant now) {
    Comparison comparison = compare(before, after);
    FieldSet fields = tracked(Fields.of(shape, applied).set());
    FieldSet changed = tracked(comparison.changed()).intersection(fields);
    String time = managers.timeOf(owner, Operation.APPLY);
    if (time.isEmpty() || !comparison.isNothing()) {
      time = Trees.time(now);
    }
    return managers
        .others(owner, Operation.APPLY, set -> set.without(changed).without(comparison.removed()))
        .with(owner, Operation.APPLY, fields, time)
        .capped();
  }

  /** The managers after a write of any other kind: it owns what it changed. */
  public ManagedFields afterUpdate(
      ObjectNode before, ObjectNode after, ManagedFields managers, Instant now) {
    if (owner.manager().isEmpty()) {
      return managers;
    }
    Comparison comparison = compare(before, after);
    if (comparison.isNothing()) {
      return managers;
    }
    FieldSet changed = tracked(comparison.changed());
    FieldSet removed = comparison.removed();
    ManagedFields others =
        managers.others(owner, Operation.UPDATE, set -> set.without(changed).without(removed));
    FieldSet mine = managers.of(owner, Operation.UPDATE).without(removed).union(changed);
    String time = changed.isEmpty() ? managers.timeOf(owner, Operation.UPDATE) : Trees.time(now);
    return others.with(owner, Operation.UPDATE, mine, time).capped();
  }

  /**
   * The managers that a client sent with an object, or those that are stored if it sent none or
   * nonsense; one empty entry means that all are to be forgotten.
   */
  public static ManagedFields sent(ObjectNode object, ManagedFields stored) {
    var list = Trees.metadata(object).path("managedFields");
    if (list.size() == 1 && list.get(0).isEmpty()) {
      return ManagedFields.NONE;
    }
    if (list.isEmpty()) {
      return stored;
    }
    ManagedFields sent = ManagedFields.read(object).orElse(stored);
    return sent.equals(stored) || !sent.isWellFormed() ? stored : sent;
  }

  /** Before anybody applies an object that has no managers: all of it has an unknown one. */
  public ManagedFields beforeFirstApply(ObjectNode stored, ManagedFields managers, Instant now) {
    return managers.entries().isEmpty()
        ? managers.with(
            new FieldOwner(BEFORE_FIRST_APPLY.manager(), owner.apiVersion(), ""),
            Operation.UPDATE,
            Fields.of(shape, stored).set().without(UNTRACKED),
            Trees.time(now))
        : managers;
  }

  private Comparison compare(ObjectNode before, ObjectNode after) {
    return Comparison.between(shape, before, after);
  }

  /** Without what the server decides and what a write through this endpoint can't change. */
  private FieldSet tracked(FieldSet fields) {
    if (fields.isEmpty()) {
      return fields;
    }
    ObjectNode top = Trees.fresh(fields.json());
    fields
        .json()
        .fieldNames()
        .forEachRemaining(
            step -> {
              String name = Step.fieldName(step);
              if (outside.contains(name) || (!within.isEmpty() && !within.contains(name))) {
                top.remove(step);
              }
            });
    return new FieldSet(top).without(UNTRACKED);
  }

  private static FieldSet untracked() {
    ObjectNode steps = Trees.empty();
    steps.putObject("f:apiVersion");
    steps.putObject("f:kind");
    ObjectNode metadata = steps.putObject("f:metadata");
    metadata.putObject(".");
    for (String field :
        List.of(
            "name",
            "namespace",
            "creationTimestamp",
            "selfLink",
            "uid",
            "generation",
            "managedFields",
            "resourceVersion")) {
      metadata.putObject(Step.field(field));
    }
    return new FieldSet(steps);
  }
}
