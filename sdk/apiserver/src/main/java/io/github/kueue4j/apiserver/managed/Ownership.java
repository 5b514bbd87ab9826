// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.managed.ManagedFields.ManagerEntry;
import io.github.kueue4j.apiserver.managed.ManagedFields.Operation;
import io.github.kueue4j.apiserver.shape.Shape;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Computes the owners of an object's fields after a write, and merges a server-side apply. Pure.
 *
 * <p>Source: Kubernetes documentation, "Server-Side Apply"; KEP-555.
 */
@API(status = API.Status.INTERNAL)
public final class Ownership {
  private static final FieldOwner BEFORE_FIRST_APPLY = new FieldOwner("before-first-apply", "", "");

  /** The fields that have no owner, because the server sets them. */
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

  /** The result of applying an object. */
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

  /** The owners of the fields can't be determined. */
  public record Untypeable(List<String> errors) implements Applied {
    public Untypeable {
      errors = List.copyOf(errors);
    }
  }

  /**
   * A field that another manager owns.
   *
   * @param manager as messages show it
   * @param path such as {@code .spec.replicas}
   */
  public record Conflict(String manager, String path) {}

  /**
   * Lays an object over the stored one. Fields that the manager applied last time and doesn't apply
   * now are removed, unless another manager owns them.
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
    for (ManagerEntry managerEntry : managers.entries()) {
      if (!managerEntry.isOf(owner, Operation.APPLY)) {
        for (String path : managerEntry.fields().intersection(changed).paths()) {
          conflicts.add(new Conflict(managerEntry.readable(), path));
        }
      }
    }
    conflicts.sort(Comparator.comparing(Conflict::manager));
    return conflicts;
  }

  /**
   * Removes the fields that the manager applied last time and that no manager owns any more.
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

  /**
   * The managers before the first apply: if the object has none, an unknown manager owns all of it.
   */
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
