// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Kubernetes' {@code quantity} library. */
final class QuantityFunctions {

  private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
  private static final Argument TEXT = new Argument(SimpleType.STRING, String.class);
  private static final Argument NUMBER = new Argument(SimpleType.INT, Long.class);
  private static final Argument AMOUNT = new Argument(QUANTITY, Quantity.class);

  @Immutable
  private interface BinaryOperation {
    Quantity apply(Quantity one, Quantity other);
  }

  @Immutable
  private interface Order {
    boolean test(int order);
  }

  private QuantityFunctions() {}

  static void addTo(FunctionSet set) {
    set.global(
        "quantity",
        "k8s_quantity",
        QUANTITY,
        List.of(TEXT),
        a ->
            parse((String) a[0])
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "quantities must match the regular expression of the API, but \""
                                + a[0]
                                + "\" doesn't")));
    set.global(
        "isQuantity",
        "k8s_is_quantity",
        SimpleType.BOOL,
        List.of(TEXT),
        a -> parse((String) a[0]).isPresent());
    set.member(
        "sign",
        "k8s_quantity_sign",
        SimpleType.INT,
        List.of(AMOUNT),
        a -> (long) ((Quantity) a[0]).signum());
    set.member(
        "isInteger",
        "k8s_quantity_is_integer",
        SimpleType.BOOL,
        List.of(AMOUNT),
        a -> isInteger((Quantity) a[0]));
    set.member(
        "asInteger",
        "k8s_quantity_as_integer",
        SimpleType.INT,
        List.of(AMOUNT),
        a -> asInteger((Quantity) a[0]));
    set.member(
        "asApproximateFloat",
        "k8s_quantity_as_float",
        SimpleType.DOUBLE,
        List.of(AMOUNT),
        a -> ((Quantity) a[0]).amount().doubleValue());
    arithmetic(set, "add", Quantity::add);
    arithmetic(set, "sub", Quantity::subtract);
    comparison(set, "isGreaterThan", order -> order > 0);
    comparison(set, "isLessThan", order -> order < 0);
    set.member(
        "compareTo",
        "k8s_quantity_compare",
        SimpleType.INT,
        List.of(AMOUNT, AMOUNT),
        a -> (long) ((Quantity) a[0]).compareTo((Quantity) a[1]));
  }

  private static void arithmetic(FunctionSet set, String name, BinaryOperation binaryOperation) {
    set.member(
        name,
        "k8s_quantity_" + name,
        QUANTITY,
        List.of(AMOUNT, AMOUNT),
        a -> binaryOperation.apply((Quantity) a[0], (Quantity) a[1]));
    set.member(
        name,
        "k8s_quantity_" + name + "_int",
        QUANTITY,
        List.of(AMOUNT, NUMBER),
        a -> binaryOperation.apply((Quantity) a[0], Quantity.of((Long) a[1])));
  }

  private static void comparison(FunctionSet set, String name, Order holds) {
    set.member(
        name,
        "k8s_quantity_" + name,
        SimpleType.BOOL,
        List.of(AMOUNT, AMOUNT),
        a -> holds.test(((Quantity) a[0]).compareTo((Quantity) a[1])));
  }

  private static Optional<Quantity> parse(String text) {
    try {
      return Optional.of(Quantity.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isInteger(Quantity quantity) {
    BigDecimal amount = quantity.amount();
    return amount.scale() <= 0 && amount.toBigIntegerExact().bitLength() < Long.SIZE;
  }

  private static long asInteger(Quantity quantity) {
    if (!isInteger(quantity)) {
      throw new IllegalArgumentException("cannot convert value to integer");
    }
    return quantity.amount().longValueExact();
  }
}
