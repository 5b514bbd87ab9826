// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.shape.Untyped;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Sets of paths obey the laws of sets, and comparing objects agrees with merging them. */
class FieldSetPropertiesTest {

  @Provide
  Arbitrary<FieldSet> sets() {
    return Arbitraries.of("a", "b", "c")
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .list()
        .ofMaxSize(6)
        .map(FieldSetPropertiesTest::set);
  }

  private static FieldSet set(List<List<String>> paths) {
    FieldSet.Collector collector = new FieldSet.Collector();
    for (List<String> path : paths) {
      path.forEach(name -> collector.enter(Step.field(name)));
      collector.add();
      path.forEach(name -> collector.leave());
    }
    return collector.set();
  }

  @Property(tries = 500)
  void everyPathIsThereOnce(@ForAll("sets") FieldSet one, @ForAll("sets") FieldSet other) {
    assertThat(one.union(other).paths())
        .doesNotHaveDuplicates()
        .containsAll(one.paths())
        .containsAll(other.paths())
        .allMatch(path -> one.paths().contains(path) || other.paths().contains(path));
  }

  @Property(tries = 500)
  void whatIsTakenAwayIsGoneAndNothingElse(
      @ForAll("sets") FieldSet one, @ForAll("sets") FieldSet other) {
    assertThat(one.without(other).paths())
        .containsExactlyInAnyOrderElementsOf(
            one.paths().stream().filter(path -> !other.paths().contains(path)).toList());
  }

  @Property(tries = 500)
  void whatIsCommonIsInBoth(@ForAll("sets") FieldSet one, @ForAll("sets") FieldSet other) {
    assertThat(one.intersection(other).paths())
        .containsExactlyInAnyOrderElementsOf(
            one.paths().stream().filter(path -> other.paths().contains(path)).toList());
    assertThat(one.without(other).union(one.intersection(other))).isEqualTo(one);
  }

  @Provide
  Arbitrary<ObjectNode> objects() {
    return Arbitraries.of("a", "b", "c")
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .list()
        .ofMaxSize(6)
        .map(FieldSetPropertiesTest::object);
  }

  private static ObjectNode object(List<List<String>> paths) {
    ObjectNode root = Trees.empty();
    for (List<String> path : paths) {
      ObjectNode node = root;
      for (String name : path.subList(0, path.size() - 1)) {
        node = node.get(name) instanceof ObjectNode below ? below : node.putObject(name);
      }
      node.put(path.get(path.size() - 1), path.size());
    }
    return root;
  }

  @Property(tries = 500)
  void mergingChangesNothingThatIsNotApplied(
      @ForAll("objects") ObjectNode stored, @ForAll("objects") ObjectNode applied) {
    ObjectNode merged = Merging.merge(Untyped.DEDUCED, stored, applied);

    assertThat(Merging.merge(Untyped.DEDUCED, merged, applied)).isEqualTo(merged);
    assertThat(Comparison.between(Untyped.DEDUCED, merged, merged).isNothing()).isTrue();
    Comparison comparison = Comparison.between(Untyped.DEDUCED, stored, merged);
    FieldSet fields = Fields.of(Untyped.DEDUCED, applied).set();
    assertThat(comparison.changed().without(fields).isEmpty()).isTrue();
  }

  @Property(tries = 500)
  void aComparisonNamesExactlyWhatIsNew(@ForAll("objects") ObjectNode object) {
    Comparison created = Comparison.between(Untyped.DEDUCED, Trees.empty(), object);
    Comparison removed = Comparison.between(Untyped.DEDUCED, object, Trees.empty());

    assertThat(created.changed()).isEqualTo(Fields.of(Untyped.DEDUCED, object).set());
    assertThat(removed.removed()).isEqualTo(created.changed());
    assertThat(Merging.without(Untyped.DEDUCED, object, created.changed())).isEmpty();
  }
}
