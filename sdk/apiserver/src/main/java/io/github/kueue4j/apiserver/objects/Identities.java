// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.objects;

import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/** Generates identities of objects: uids and the suffixes of generated names. */
@API(status = API.Status.INTERNAL)
public final class Identities {
  /** Without vowels and look-alikes, as the API does it. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX_LENGTH = 5;
  private static final int MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

  private final RandomGenerator random;

  /** Uses this source, which must be thread-safe. */
  public Identities(RandomGenerator random) {
    this.random = random;
  }

  /** A random (version 4) UUID. */
  public String uid() {
    long high = (random.nextLong() & 0xffffffffffff0fffL) | 0x4000L;
    long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }

  /** The base, cut to fit into 63 characters, and five random letters. */
  public String generatedName(String base) {
    StringBuilder name =
        new StringBuilder(
            base.length() > MAX_BASE_LENGTH ? base.substring(0, MAX_BASE_LENGTH) : base);
    for (int i = 0; i < SUFFIX_LENGTH; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }
}
