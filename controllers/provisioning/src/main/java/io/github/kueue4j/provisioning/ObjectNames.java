// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of the objects that the check creates; the same inputs give the same name. */
final class ObjectNames {

  /** So that a hyphen and five digits of a hash still fit into the 253 characters of a name. */
  private static final int LONGEST = 247;

  private static final int HASH_LENGTH = 5;

  private ObjectNames() {}

  /**
   * The name of a ProvisioningRequest.
   *
   * @param attempt 1 for the first
   */
  static String request(String workload, String check, int attempt) {
    return limited(workload + "-" + check + "-" + attempt);
  }

  /** The name of the PodTemplate of one pod set. */
  static String podTemplate(String request, String podSet) {
    return limited("ppt-" + request + "-" + podSet);
  }

  private static String limited(String name) {
    return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "-" + hash(name);
  }

  private static String hash(String name) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha1.digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
