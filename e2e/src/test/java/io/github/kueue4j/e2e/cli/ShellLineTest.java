// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.cli.UserError;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** A line for the shell that an option gives. */
class ShellLineTest {
  private final StringWriter err = new StringWriter();

  @Test
  void itsOutputIsPassedOn() {
    new ShellLine("echo one; echo two >&2", new PrintWriter(err)).run();

    assertThat(err).hasToString("one\ntwo\n");
  }

  @Test
  void itMustSucceed() {
    assertThatThrownBy(() -> new ShellLine("echo no; exit 3", new PrintWriter(err)).run())
        .isInstanceOf(UserError.class)
        .hasMessage("--revoke ended with status 3: echo no; exit 3");
    assertThat(err).hasToString("no\n");
  }
}
