// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import io.github.kueue4j.apiserver.cel.FunctionSet.Argument;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Kubernetes' {@code lists} library. */
final class ListFunctions {

  private static final CelType ELEMENT = TypeParamType.create("T");
  private static final Argument LIST = new Argument(ListType.create(ELEMENT), List.class);
  private static final Argument VALUE = new Argument(ELEMENT, Object.class);

  private ListFunctions() {}

  static void addTo(FunctionSet set) {
    set.member(
        "isSorted",
        "k8s_list_is_sorted",
        SimpleType.BOOL,
        List.of(LIST),
        a -> isSorted((List<?>) a[0]));
    set.member(
        "min", "k8s_list_min", ELEMENT, List.of(LIST), a -> extreme((List<?>) a[0], "min", -1));
    set.member(
        "max", "k8s_list_max", ELEMENT, List.of(LIST), a -> extreme((List<?>) a[0], "max", 1));
    sum(set, SimpleType.INT, "int");
    sum(set, SimpleType.DOUBLE, "double");
    sum(set, SimpleType.DURATION, "duration");
    set.member(
        "indexOf",
        "k8s_list_index_of",
        SimpleType.INT,
        List.of(LIST, VALUE),
        a -> indexOf((List<?>) a[0], a[1], false));
    set.member(
        "lastIndexOf",
        "k8s_list_last_index_of",
        SimpleType.INT,
        List.of(LIST, VALUE),
        a -> indexOf((List<?>) a[0], a[1], true));
  }

  private static void sum(FunctionSet set, CelType type, String word) {
    set.member(
        "sum",
        "k8s_list_sum_" + word,
        type,
        List.of(new Argument(ListType.create(type), List.class)),
        a -> sum((List<?>) a[0], word));
  }

  private static Object sum(List<?> list, String word) {
    switch (word) {
      case "int" -> {
        long total = 0;
        for (Object element : list) {
          total = Math.addExact(total, (Long) element);
        }
        return total;
      }
      case "double" -> {
        double total = 0;
        for (Object element : list) {
          total += (Double) element;
        }
        return total;
      }
      default -> {
        Duration total = Duration.ZERO;
        for (Object element : list) {
          total = total.plus((Duration) element);
        }
        return total;
      }
    }
  }

  private static boolean isSorted(List<?> list) {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object extreme(List<?> list, String name, int sign) {
    if (list.isEmpty()) {
      throw new IllegalArgumentException(name + " called on empty list");
    }
    Object best = list.get(0);
    for (Object element : list) {
      if (Integer.signum(compare(element, best)) == sign) {
        best = element;
      }
    }
    return best;
  }

  private static long indexOf(List<?> list, Object value, boolean last) {
    for (int i = 0; i < list.size(); i++) {
      int at = last ? list.size() - 1 - i : i;
      if (Objects.equals(list.get(at), value)) {
        return at;
      }
    }
    return -1;
  }

  private static int compare(Object one, Object other) {
    if (one instanceof Comparable<?> && one.getClass() == other.getClass()) {
      @SuppressWarnings("unchecked") // Same class, and comparable classes compare to themselves.
      Comparable<Object> comparable = (Comparable<Object>) one;
      return comparable.compareTo(other);
    }
    if (one instanceof Number a && other instanceof Number b) {
      return Double.compare(a.doubleValue(), b.doubleValue());
    }
    throw new IllegalArgumentException("no such overload: elements can't be compared");
  }
}
