// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import org.apiguardian.api.API;

/**
 * One thing to know before a move.
 *
 * @param severity whether it prevents the move
 * @param subject the object, or the objects counted by kind
 * @param problem what is so, as a sentence
 * @param remedy what to do or what follows, as a sentence
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record Finding(Severity severity, String subject, String problem, String remedy) {

  /** The meaning of a finding for the move. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public enum Severity {
    /** The move would lose or stop something. */
    BLOCKS("Stands in the way"),
    /** A step of the move that a person takes. */
    STEP("To do"),
    /** Something is different afterwards. */
    CHANGES("Will be different");

    private final String heading;

    Severity(String heading) {
      this.heading = heading;
    }

    /** The heading above such findings. */
    public String heading() {
      return heading;
    }
  }

  static Finding blocks(String subject, String problem, String remedy) {
    return new Finding(Severity.BLOCKS, subject, problem, remedy);
  }

  static Finding step(String subject, String problem, String remedy) {
    return new Finding(Severity.STEP, subject, problem, remedy);
  }

  static Finding changes(String subject, String problem, String remedy) {
    return new Finding(Severity.CHANGES, subject, problem, remedy);
  }
}
