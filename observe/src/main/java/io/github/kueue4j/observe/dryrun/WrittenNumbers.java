// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Quantity;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of pods and amounts of resources in an object that a user has written. The API server
 * refuses impossible ones; without it a reader would take them for others.
 */
final class WrittenNumbers {
  private static final Set<String> AMOUNTS = Set.of("requests", "limits", "resourceUsage");

  private static final Set<String> COUNTS =
      Set.of(
          "parallelism",
          "completions",
          "replicas",
          "minReplicas",
          "maxReplicas",
          "numOfHosts",
          "count",
          "minCount");

  private static final BigDecimal MOST = BigDecimal.valueOf(Integer.MAX_VALUE);

  private WrittenNumbers() {}

  /**
   * Checks those below an element.
   *
   * @param element null if there is none
   * @param field its name, as {@code spec}
   * @throws InvalidFieldException about the first that is impossible
   */
  static void check(@Nullable JsonElement element, String field) {
    if (element instanceof JsonObject object) {
      object.asMap().forEach((name, value) -> checkMember(name, value, field + "." + name));
    } else if (element instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        check(array.get(i), field + "[" + i + "]");
      }
    }
  }

  private static void checkMember(String name, JsonElement value, String field) {
    if (COUNTS.contains(name) && value instanceof JsonPrimitive number && number.isNumber()) {
      checkCount(field, number.getAsBigDecimal());
    } else if (AMOUNTS.contains(name) && value instanceof JsonObject amounts) {
      amounts
          .asMap()
          .forEach(
              (resource, amount) -> {
                if (amount instanceof JsonPrimitive text) {
                  checkAmount(field + "." + resource, text.getAsString());
                }
              });
    } else {
      check(value, field);
    }
  }

  private static void checkCount(String field, BigDecimal number) {
    if (number.signum() < 0
        || number.compareTo(MOST) > 0
        || number.stripTrailingZeros().scale() > 0) {
      throw new InvalidFieldException(
          field, number.toString(), "write a whole number from 0 to " + MOST);
    }
  }

  private static void checkAmount(String field, String amount) {
    if (!isAmount(amount)) {
      throw new InvalidFieldException(field, amount, "write an amount such as 40, 500m or 64Gi");
    }
  }

  private static boolean isAmount(String text) {
    try {
      return Quantity.parse(text).signum() >= 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
