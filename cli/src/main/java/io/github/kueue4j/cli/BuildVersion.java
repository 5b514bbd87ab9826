// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build has left in the jar. */
final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
      build.load(Objects.requireNonNull(in, "build.properties is missing in the jar"));
    }
    return new String[] {"kueue4j " + build.getProperty("version")};
  }
}
