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
package io.github.kueue4j.testkit.cel;

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

/** Functions in the making: what the checker must know beside what the runtime must call. */
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
