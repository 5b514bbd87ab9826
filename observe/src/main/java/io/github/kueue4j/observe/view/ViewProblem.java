// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

/** A request that can't be answered; its message is for the sender. */
final class ViewProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  ViewProblem(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The request has an invalid parameter. */
  static ViewProblem invalid(String parameter, String value, String remedy) {
    return new ViewProblem(400, parameter + "=" + value + " is invalid: " + remedy);
  }

  /** The HTTP status. */
  int status() {
    return status;
  }
}
