// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture.offenders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A planted offender: tests of all kinds that assert nothing, and some that do, in ways that a scan
 * might overlook. It is compiled and never run.
 */
final class Assertionless {
  private final List<String> made = new ArrayList<>();

  @Test
  void test() {
    made.add("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void parameterized(String name) {
    made.add(name);
  }

  @RepeatedTest(2)
  void repeated() {
    made.clear();
  }

  @TestFactory
  Stream<DynamicTest> factory() {
    return Stream.of(DynamicTest.dynamicTest("a", () -> made.add("a")));
  }

  @Property
  void property(@ForAll String name) {
    made.add(name);
  }

  @Example
  void example() {
    made.add("a");
  }

  @Test
  void helperWithoutAssertion() {
    prepare("a");
  }

  @Test
  void lambdaWithoutAssertion() {
    doWith(name -> made.add(name));
  }

  @Test
  void assumption() {
    assumeTrue(made.isEmpty());
  }

  private void prepare(String name) {
    made.add(name);
  }

  private void doWith(Consumer<String> action) {
    made.forEach(action);
  }

  @Test
  void mayAssertInALambdaThatIsHandedOn() {
    doWith(name -> assertThat(name).isEqualTo("a"));
  }

  @Test
  void mayAssertInAMethodThatIsReferredTo() {
    doWith(this::isThere);
  }

  @Test
  void mayAssertByAHelper() {
    mayAssertInAMethodThatIsReferredTo();
  }

  @Test
  void mayAssertInAnAnonymousClass() {
    doWith(
        new Consumer<>() {
          @Override
          public void accept(String name) {
            isThere(name);
          }
        });
  }

  @Test
  void mayLeaveItToWhatOverrides() {
    Verdict verdict = new Verdict.Empty();
    verdict.check(made);
  }

  @Test
  void mayExpectAnException() {
    assertThatThrownBy(made::removeLast).hasMessage(null);
  }

  @Test
  void mayAwait() {
    await().until(made::isEmpty);
  }

  @Property
  boolean mayReturnWhetherItHolds(@ForAll String name) {
    return made.isEmpty() || made.contains(name);
  }

  private void isThere(String name) {
    assertThat(made).contains(name);
  }

  /** An abstract helper. */
  private interface Verdict {
    void check(List<String> all);

    /** The only one. */
    record Empty() implements Verdict {
      @Override
      public void check(List<String> all) {
        assertThat(all).isEmpty();
      }
    }
  }
}
