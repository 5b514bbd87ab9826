// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether a method comes to an assertion: by itself, by the methods that it calls or refers to, or
 * in lambdas and anonymous classes that it makes. Methods are followed through the imported classes
 * only.
 */
final class AssertionReach {
  private static final String ASSERTJ = "org.assertj.core.api.";

  /** Methods of AssertJ's entry points that fail by themselves. */
  private static final Set<String> ASSERTING_ENTRIES =
      Set.of("assertThatThrownBy", "fail", "failBecauseExceptionWasNotThrown", "assertAll");

  /** Methods of AssertJ's assertions that only describe, or choose what is asserted next. */
  private static final Set<String> NOT_YET =
      Set.of(
          "<init>",
          "as",
          "asInstanceOf",
          "asString",
          "describedAs",
          "extracting",
          "filteredOn",
          "first",
          "last",
          "map",
          "overridingErrorMessage",
          "usingRecursiveComparison",
          "withFailMessage");

  private AssertionReach() {}

  /** Whether this method comes to one. */
  static boolean reaches(JavaCodeUnit method) {
    Set<JavaCodeUnit> seen = new HashSet<>(Set.of(method));
    Deque<JavaCodeUnit> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      JavaCodeUnit each = next.remove();
      if (each.getAccessesFromSelf().stream().anyMatch(AssertionReach::isAssertion)) {
        return true;
      }
      each.getAccessesFromSelf().stream()
          .flatMap(AssertionReach::called)
          .filter(seen::add)
          .forEach(next::add);
    }
    return false;
  }

  private static boolean isAssertion(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getFullName();
    String method = access.getTarget().getName();
    return owner.startsWith(ASSERTJ)
        ? isAssertionOfAssertj(owner, method)
        : switch (owner) {
          case "org.junit.jupiter.api.Assertions" -> true;
          case "org.awaitility.core.ConditionFactory" -> method.startsWith("until");
          case "com.tngtech.archunit.lang.ArchRule" -> method.equals("check");
          case "java.lang.AssertionError" -> method.equals("<init>");
          default -> false;
        };
  }

  private static boolean isAssertionOfAssertj(String owner, String method) {
    return owner.endsWith("Assert")
        ? !NOT_YET.contains(method)
        : ASSERTING_ENTRIES.contains(method);
  }

  private static Stream<JavaCodeUnit> called(JavaAccess<?> access) {
    if (!(access.getTarget() instanceof CodeUnitAccessTarget target)) {
      return Stream.empty();
    }
    return target.resolveMember().stream()
        .flatMap(member -> Stream.concat(Stream.of(member), standsFor(member)));
  }

  /**
   * What is called, too: what overrides an abstract method, and the methods of an anonymous class.
   */
  private static Stream<JavaCodeUnit> standsFor(JavaCodeUnit member) {
    JavaClass owner = member.getOwner();
    if (member.getModifiers().contains(JavaModifier.ABSTRACT)) {
      return owner.getAllSubclasses().stream()
          .flatMap(type -> type.getMethods().stream())
          .filter(
              method ->
                  method.getName().equals(member.getName())
                      && method.getParameterTypes().size() == member.getParameterTypes().size())
          .map(method -> method);
    }
    return owner.isAnonymousClass() && member.isConstructor()
        ? owner.getMethods().stream().map(method -> method)
        : Stream.empty();
  }
}
