// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/**
 * A line for the shell, which must succeed.
 *
 * @param line what {@code sh -c} gets
 * @param err where its output goes
 */
record ShellLine(String line, PrintWriter err) implements Runnable {
  @Override
  public void run() {
    try {
      Process process = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try (Reader output = process.inputReader(StandardCharsets.UTF_8)) {
        output.transferTo(err);
      }
      int status = process.waitFor();
      if (status != 0) {
        throw new UserError("--revoke ended with status " + status + ": " + line);
      }
    } catch (IOException e) {
      throw new UserError("can't run --revoke " + line + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted while --revoke ran", e);
    }
  }
}
