// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects functions: their declarations for the checker and their bindings for the runtime. */
final class FunctionSet {

  /** Functions of CEL itself; they take further overloads, but not another dispatch by name. */
  private static final Set<String> STANDARD = Set.of("string");

  private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
  private final Map<String, List<CelFunctionBinding>> bindings = new LinkedHashMap<>();

  /** A type of an argument, for the checker and for the runtime. */
  record Argument(CelType type, Class<?> runtimeClass) {}

  /** Declares {@code argument.name(arguments...)}; the first argument is the receiver. */
  void member(
      String name,
      String overload,
      CelType result,
      List<Argument> arguments,
      CelFunctionOverload body) {
    add(
        name,
        CelOverloadDecl.newMemberOverload(overload, result, types(arguments)),
        arguments,
        body);
  }

  /** Declares {@code name(arguments...)}. */
  void global(
      String name,
      String overload,
      CelType result,
      List<Argument> arguments,
      CelFunctionOverload body) {
    add(
        name,
        CelOverloadDecl.newGlobalOverload(overload, result, types(arguments)),
        arguments,
        body);
  }

  private void add(
      String name,
      CelOverloadDecl declaration,
      List<Argument> arguments,
      CelFunctionOverload body) {
    declarations.computeIfAbsent(name, key -> new ArrayList<>()).add(declaration);
    List<Class<?>> classes = new ArrayList<>();
    arguments.forEach(argument -> classes.add(argument.runtimeClass()));
    bindings
        .computeIfAbsent(name, key -> new ArrayList<>())
        .add(CelFunctionBinding.from(declaration.overloadId(), classes, body));
  }

  private static List<CelType> types(List<Argument> arguments) {
    return arguments.stream().map(Argument::type).toList();
  }

  List<CelFunctionDecl> declarations() {
    List<CelFunctionDecl> result = new ArrayList<>();
    declarations.forEach(
        (name, overloads) -> result.add(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    return result;
  }

  List<CelFunctionBinding> bindings() {
    ImmutableList.Builder<CelFunctionBinding> result = ImmutableList.builder();
    bindings.forEach(
        (name, overloads) -> {
          if (STANDARD.contains(name)) {
            result.addAll(overloads);
          } else {
            result.addAll(CelFunctionBinding.fromOverloads(name, overloads));
          }
        });
    return result.build();
  }
}
