// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The endpoints that a check may ask, on the command line. */
final class EndpointFlags {
  @Option(
      names = "--allow-addresses",
      paramLabel = "CIDR",
      converter = Range.class,
      description =
          "a range of addresses that endpoints may have besides the usual ones, such as"
              + " 127.0.0.0/8; repeatable")
  private List<AddressRange> allowed = new ArrayList<>();

  @Option(
      names = "--refuse-private-addresses",
      description = "endpoints may not have private addresses, as Services of the cluster have")
  private boolean refusePrivate;

  @Option(
      names = "--allow-files",
      description =
          "endpoints may name files of this container, such as tokens, that are sent to them")
  private boolean files;

  AddressRules addresses() {
    AddressRules rules = AddressRules.defaults();
    if (refusePrivate) {
      rules = rules.withoutPrivate();
    }
    for (AddressRange range : allowed) {
      rules = rules.allowing(range);
    }
    return rules;
  }

  boolean allowFiles() {
    return files;
  }

  /** {@code 10.0.0.0/8}. */
  static final class Range implements ITypeConverter<AddressRange> {
    @Override
    public AddressRange convert(String text) {
      try {
        return AddressRange.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
