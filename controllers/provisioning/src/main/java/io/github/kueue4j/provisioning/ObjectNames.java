// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Names of the objects that the check creates; the same inputs give the same name. */
final class ObjectNames {

  /** So that a hyphen and five digits of a hash still fit into the 253 characters of a name. */
  private static final int LONGEST = 247;

  private static final int HASH_LENGTH = 5;
  private static final Pattern ATTEMPT = Pattern.compile("[0-9]{1,10}");

  private ObjectNames() {}

  /**
   * The name of a ProvisioningRequest.
   *
   * @param attempt 1 for the first
   */
  static String request(String workload, String check, int attempt) {
    return limited(prefix(workload, check) + attempt);
  }

  /**
   * The name of a ProvisioningRequest whose usual name is another owner's.
   *
   * @param usual the name of {@link #request}
   * @param workloadUid so that Workloads of the same name, one after the other, have different ones
   */
  static String otherRequest(String usual, String workloadUid) {
    return limited(usual + "-" + hash(usual + "/" + workloadUid));
  }

  /** Whether a request of any attempt has this name; of a name that was cut it isn't known. */
  static boolean isOfAnyAttempt(String name, String workload, String check) {
    String prefix = prefix(workload, check);
    return name.startsWith(prefix) && ATTEMPT.matcher(name.substring(prefix.length())).matches();
  }

  /** The name of the PodTemplate of one pod set. */
  static String podTemplate(String request, String podSet) {
    return limited("ppt-" + request + "-" + podSet);
  }

  private static String prefix(String workload, String check) {
    return workload + "-" + check + "-";
  }

  private static String limited(String name) {
    if (name.length() <= LONGEST) {
      return name;
    }
    String start = name.substring(0, LONGEST);
    // No part of a name may begin with the hyphen that follows.
    String valid = start.endsWith(".") ? start.substring(0, LONGEST - 1) : start;
    return valid + "-" + hash(name);
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
