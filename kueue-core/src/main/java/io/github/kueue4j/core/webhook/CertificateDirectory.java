/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Files that somebody else keeps up to date, for example cert-manager through a mounted Secret.
 * Whoever makes them also enters their authority where clients look for it.
 */
final class CertificateDirectory implements CertificateStore {
  private final Path folder;
  private final String what;

  /**
   * Reads nothing yet.
   *
   * @param what the certificates are for, for people
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
