// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.runtime.tls.InvalidCertificateException;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Certificate files that an external tool maintains, for example cert-manager through a mounted
 * Secret. That tool also registers the certificate authority with the clients.
 */
final class CertificateDirectory implements CertificateStore {
  private final Path folder;
  private final String what;

  /**
   * A store that reads the files on demand.
   *
   * @param what the server that uses the certificates, for messages
   */
  CertificateDirectory(Path folder, String what) {
    this.folder = folder;
    this.what = what;
  }

  @Override
  public ServingCertificates at(Instant now) {
    Path chain = folder.resolve("tls.crt");
    Path key = folder.resolve("tls.key");
    try {
      return new ServingCertificates(
          List.of(),
          null,
          ServingCertificates.certificates(read(chain)),
          ServingCertificates.privateKey(read(key)));
    } catch (InvalidCertificateException e) {
      throw new InvalidCertificateException(
          "%s: %s can't be used: %s".formatted(what, folder, e.getMessage()), e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new InvalidCertificateException(
          "there is no " + file + "; mount it, or let internalCertManagement.enable be true", e);
    } catch (IOException e) {
      throw new InvalidCertificateException(file + " can't be read: " + e.getMessage(), e);
    }
  }
}
