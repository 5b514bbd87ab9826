// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The form of label keys and values. */
@API(status = API.Status.EXPERIMENTAL)
public final class LabelSyntax {
  static final String KEY_RULE =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
          + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  /** What the API says about a wrong label value. */
  public static final String VALUE_RULE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private LabelSyntax() {}

  /** Whether the text is {@code name} or {@code dns.prefix/name}. */
  public static boolean isKey(String key) {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    boolean prefixed =
        slash < 0 || (slash <= 253 && PREFIX.matcher(key.substring(0, slash)).matches());
    return prefixed && name.length() <= 63 && NAME.matcher(name).matches();
  }

  /** Whether the text may be a label's value. */
  public static boolean isValue(String value) {
    return value.isEmpty() || (value.length() <= 63 && NAME.matcher(value).matches());
  }

  /** What the API says about a wrong label key. */
  public static String keyRule() {
    return KEY_RULE;
  }
}
