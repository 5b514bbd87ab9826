// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The form of {@code spec.controllerName} of AdmissionChecks: a qualified name.
 *
 * @see AdmissionCheckSpec
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControllerName {

  private static final Pattern QUALIFIED =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
              + "/[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?");

  /** The limit of the field. */
  private static final int LONGEST = 253;

  private ControllerName() {}

  /**
   * The name itself.
   *
   * @throws IllegalArgumentException if it isn't a domain and a name with a slash between them
   */
  public static String checked(String name) {
    if (name.length() > LONGEST || !QUALIFIED.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' can't be the name of a check controller: write a domain of yours, a slash and a"
              + " name, such as example.com/license, as in spec.controllerName of its"
              + " AdmissionChecks");
    }
    return name;
  }
}
