// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The token for what is reached by way of the API server. A mixin of picocli. */
final class TokenOption {
  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "a token for the core or a check, where the kubeconfig has a certificate: 'kubectl create"
              + " token'")
  private @Nullable Path file;

  /**
   * The token; null for that of the kubeconfig.
   *
   * @throws UserError if the file can't be read
   */
  @Nullable String token() {
    if (file == null) {
      return null;
    }
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UserError(file + " can't be read; check --token-file", e);
    }
  }
}
