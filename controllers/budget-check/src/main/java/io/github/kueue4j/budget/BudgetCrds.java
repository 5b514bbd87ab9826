// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The definitions of the kinds: the chart's files, which the build puts beside this class. */
final class BudgetCrds {
  private static final List<String> PLURALS = List.of("budgetpolicies", "budgets", "budgetledgers");

  private BudgetCrds() {}

  static List<String> all() {
    return PLURALS.stream().map(BudgetCrds::of).toList();
  }

  private static String of(String plural) {
    String file = "crds/checks.kueue4j.io_" + plural + ".yaml";
    try (InputStream in = BudgetCrds.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + file + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("can't read the resource " + file, broken);
    }
  }
}
