// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.project;

import io.github.kueue4j.api.ControllerName;
import io.github.kueue4j.sdk.rbac.Permissions;
import io.github.kueue4j.sdk.rbac.StatusGuard;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.apiguardian.api.API;

/**
 * A Maven project of a check with parameters, its test, its image and its manifests.
 *
 * @param name of the AdmissionCheck; the program and the service account are called {@code
 *     NAME-check}, or NAME where that ends so
 * @param javaPackage of its classes, and the Maven group
 * @param controllerName of its AdmissionChecks
 * @param namespace in which it runs and its parameters lie
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record CheckProject(
    String name, String javaPackage, String controllerName, String namespace) {
  private static final int LONGEST_NAME = 40; // With "-check" behind it, it names objects.
  private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]*[a-z0-9])?");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern PACKAGE = Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)*");
  private static final String DEFAULT = "default";
  private static final String SUFFIX = "-check";
  private static final Pattern PLACEHOLDER = Pattern.compile("@(\\w+)@");

  /**
   * @throws IllegalArgumentException if a name can't be used; the message says what would be right
   */
  public CheckProject {
    require(
        name.length() <= LONGEST_NAME && NAME.matcher(name).matches(),
        "the name '"
            + name
            + "' can't be used: a letter, then letters, digits and '-', lower case, at most "
            + LONGEST_NAME);
    require(
        PACKAGE.matcher(javaPackage).matches() && SourceVersion.isName(javaPackage),
        "the package '" + javaPackage + "' is none; give one such as com.example.license");
    ControllerName.checked(controllerName);
    require(
        NAMESPACE.matcher(namespace).matches(), "'" + namespace + "' is no name of a namespace");
  }

  private static void require(boolean fulfilled, String message) {
    if (!fulfilled) {
      throw new IllegalArgumentException(message);
    }
  }

  /** A package for a check of this name, where none is given. */
  public static String usualPackage(String name) {
    return "com.example." + name.replace("-", "");
  }

  /** A controller name for a check of this name, where none is given. */
  public static String usualControllerName(String name) {
    return "example.com/" + name;
  }

  /** The name of the program, of its image and of its account: ends with {@code -check}. */
  public String program() {
    return name.endsWith(SUFFIX) ? name : name + SUFFIX;
  }

  /** {@code GpuWindow} for {@code gpu-window} and {@code gpu-window-check}. */
  private String type() {
    String subject = program().substring(0, program().length() - SUFFIX.length());
    return Stream.of(subject.split("-+"))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  /**
   * Writes the project.
   *
   * @param folder that doesn't exist yet or is empty
   * @return the files, relative to the folder, in the order of reading
   * @throws IOException if a file can't be written
   */
  public List<Path> write(Path folder) throws IOException {
    Map<String, String> values = values(folder);
    Map<String, String> files = new LinkedHashMap<>();
    String main = "src/main/java/" + javaPackage.replace('.', '/') + "/" + type();
    String test = "src/test/java/" + javaPackage.replace('.', '/') + "/" + type();
    files.put("README.md", filled("README.md.txt", values));
    files.put("pom.xml", filled("pom.xml", values));
    files.put(main + "Check.java", filled("Check.java.txt", values));
    files.put(main + "Parameters.java", filled("Parameters.java.txt", values));
    files.put(test + "CheckTest.java", filled("CheckTest.java.txt", values));
    files.put("src/main/resources/logback.xml", filled("logback.xml", values));
    files.put("src/test/resources/logback-test.xml", filled("logback-test.xml", values));
    files.put("deploy/check.yaml", filled("check.yaml", values));
    files.put("deploy/rbac.yaml", "# Printed by " + command() + "\n" + rights());
    files.put("deploy/deployment.yaml", filled("deployment.yaml", values));
    files.put("example/queue.yaml", filled("example.yaml", values));
    files.put("example/open.yaml", filled("open.yaml", values));
    files.put("Dockerfile", filled("Dockerfile", values));
    files.put(".gitignore", filled("gitignore", values));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(path.getParent()));
      Files.writeString(path, file.getValue());
    }
    return files.keySet().stream().map(Path::of).toList();
  }

  private Map<String, String> values(Path folder) throws IOException {
    Properties build = new Properties();
    try (InputStream in =
        CheckProject.class.getResourceAsStream("/io/github/kueue4j/cli/build.properties")) {
      build.load(Objects.requireNonNull(in, "build.properties is missing in the jar"));
    }
    return Map.ofEntries(
        Map.entry("name", name),
        Map.entry("program", program()),
        Map.entry("type", type()),
        Map.entry("package", javaPackage),
        Map.entry("controllerName", controllerName),
        Map.entry("namespace", namespace),
        Map.entry("inNamespace", namespace.equals(DEFAULT) ? "" : " -n " + namespace),
        Map.entry("namespaceDocument", namespaceDocument("\n")),
        Map.entry("namespaceInCode", namespaceDocument("\n        ")),
        Map.entry("rbac", command()),
        Map.entry("home", folder.toAbsolutePath().normalize().toString()),
        Map.entry("version", build.getProperty("version")),
        Map.entry("logbackVersion", build.getProperty("logback.version")),
        Map.entry("junitVersion", build.getProperty("junit.version")));
  }

  /** For manifests of objects in a namespace that may not be there yet. */
  private String namespaceDocument(String lineBreak) {
    return namespace.equals(DEFAULT)
        ? ""
        : String.join(
                lineBreak,
                "apiVersion: v1",
                "kind: Namespace",
                "metadata:",
                "  name: " + namespace,
                "---")
            + lineBreak;
  }

  private static String filled(String template, Map<String, String> values) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(CheckProject.class.getResourceAsStream(template), template)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PLACEHOLDER
          .matcher(text)
          .replaceAll(
              match ->
                  Matcher.quoteReplacement(
                      Objects.requireNonNull(values.get(match.group(1)), match.group())));
    }
  }

  /** The command that prints {@link #rights}. */
  private String command() {
    return "./kueue4j rbac --controller-name %s -n %s --name %s --check %s --parameters configmaps:%s --leader-elect"
        .formatted(controllerName, namespace, program(), name, namespace);
  }

  /** Exactly what it needs: its parameters, its Lease, and of Workloads its own entries. */
  private String rights() {
    String account = program();
    return Permissions.of(account, namespace)
            .forChecks(List.of(name))
            .reading("configmaps", namespace)
            .withLease(account)
            .yaml()
        + "---\n"
        + StatusGuard.confining(
                namespace + "-" + account + "-status-guard",
                List.of("system:serviceaccount:" + namespace + ":" + account))
            .yaml();
  }
}
