// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.jobs.yaml.YamlBlock;
import io.github.kueue4j.runtime.tls.TlsOptions;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Reads the block {@code tls}, whose names are those of Go's package crypto/tls. Names that this
 * Java doesn't support are refused, so that no other cipher suite is used instead of the configured
 * one.
 */
final class TlsBlock {
  private static final String VERSION = "minVersion";
  private static final String SUITES = "cipherSuites";
  private static final String CURVES = "curvePreferences";

  /** Java's protocols from each minimum version on; it supports none before TLS 1.2. */
  private static final Map<String, List<String>> VERSIONS =
      new TreeMap<>(
          Map.of(
              "VersionTLS10", List.of("TLSv1.3", "TLSv1.2"),
              "VersionTLS11", List.of("TLSv1.3", "TLSv1.2"),
              "VersionTLS12", List.of("TLSv1.3", "TLSv1.2"),
              "VersionTLS13", List.of("TLSv1.3")));

  private static final List<String> SUITES_OF_TLS_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** The ciphers; Go and Java both use the names of the IANA registry. */
  private static final List<String> CIPHERS =
      List.of(
          "AES_128_GCM_SHA256",
          "AES_256_GCM_SHA384",
          "CHACHA20_POLY1305_SHA256",
          "AES_128_CBC_SHA256",
          "AES_128_CBC_SHA",
          "AES_256_CBC_SHA");

  /** Java's groups by Go's names. */
  private static final Map<String, String> GROUPS =
      ordered(
          "X25519", "x25519",
          "CurveP256", "secp256r1",
          "CurveP384", "secp384r1",
          "CurveP521", "secp521r1",
          "X25519MLKEM768", "X25519MLKEM768",
          "SecP256r1MLKEM768", "SecP256r1MLKEM768",
          "SecP384r1MLKEM1024", "SecP384r1MLKEM1024");

  private static final Map<String, String> NUMBERS =
      Map.of(
          "23", "CurveP256",
          "24", "CurveP384",
          "25", "CurveP521",
          "29", "X25519",
          "4587", "SecP256r1MLKEM768",
          "4588", "X25519MLKEM768",
          "4589", "SecP384r1MLKEM1024");

  private TlsBlock() {}

  static TlsOptions read(YamlBlock root) {
    try (YamlBlock block = root.block("tls")) {
      SSLParameters supported = supported();
      String version = block.text(VERSION, "");
      if (!version.isEmpty() && !VERSIONS.containsKey(version)) {
        throw block.invalid(
            VERSION, "is \"" + version + "\"; allowed: " + String.join(", ", VERSIONS.keySet()));
      }
      List<String> suites = suites(block, Set.of(supported.getCipherSuites()));
      if (!suites.isEmpty() && version.equals("VersionTLS13")) {
        throw block.invalid(
            SUITES,
            "has no meaning with " + VERSION + " VersionTLS13, which has its own; remove it");
      }
      return new TlsOptions(
          version.isEmpty() ? List.of() : VERSIONS.getOrDefault(version, List.of()),
          suites,
          groups(block, Set.of(supported.getNamedGroups())));
    }
  }

  /** The configured suites and all of TLS 1.3, which can't be restricted. */
  private static List<String> suites(YamlBlock block, Set<String> supported) {
    List<String> known =
        Stream.concat(
                SUITES_OF_TLS_1_3.stream(),
                Stream.of("ECDHE_ECDSA", "ECDHE_RSA", "RSA")
                    .flatMap(
                        keys -> CIPHERS.stream().map(cipher -> "TLS_" + keys + "_WITH_" + cipher)))
            .filter(supported::contains)
            .toList();
    List<String> chosen = new ArrayList<>();
    for (String name : block.texts(SUITES, List.of())) {
      String suite = name.endsWith("_CHACHA20_POLY1305") ? name + "_SHA256" : name;
      if (!known.contains(suite)) {
        throw unknown(block, SUITES, name, known);
      }
      chosen.add(suite);
    }
    if (!chosen.isEmpty()) {
      SUITES_OF_TLS_1_3.stream().filter(suite -> !chosen.contains(suite)).forEach(chosen::add);
    }
    return chosen;
  }

  private static List<String> groups(YamlBlock block, Set<String> supported) {
    List<String> known =
        GROUPS.entrySet().stream()
            .filter(group -> supported.contains(group.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    List<String> chosen = new ArrayList<>();
    for (String name : block.texts(CURVES, List.of())) {
      String group = NUMBERS.getOrDefault(name, name);
      if (!known.contains(group)) {
        throw unknown(block, CURVES, name, known);
      }
      chosen.add(GROUPS.getOrDefault(group, group));
    }
    return chosen;
  }

  private static InvalidConfigurationException unknown(
      YamlBlock block, String key, String name, List<String> known) {
    return block.invalid(
        key,
        "names \"" + name + "\", which this Java can't serve; known: " + String.join(", ", known));
  }

  private static SSLParameters supported() {
    try {
      return SSLContext.getDefault().getSupportedSSLParameters();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java can't serve TLS", e);
    }
  }

  private static Map<String, String> ordered(String... pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
