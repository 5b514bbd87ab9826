// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Where the compiled tests of all modules lie, of the kind of build that runs this test. */
final class TestClasses {
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

  private TestClasses() {}

  /** One folder per module that has tests. */
  static List<Path> folders() throws IOException {
    Path root = Checkout.root();
    List<Path> folders =
        MODULE
            .matcher(Files.readString(root.resolve("pom.xml")))
            .results()
            .map(module -> module.group(1))
            .filter(module -> Files.isDirectory(root.resolve(module).resolve("src/test/java")))
            .map(TestClasses::of)
            .toList();
    assertThat(folders)
        .as("test classes, which a build of e2e with -am compiles")
        .hasSizeGreaterThan(10)
        .allSatisfy(folder -> assertThat(folder).isDirectory());
    return folders;
  }

  /** The folder of this module. */
  static Path own() {
    return of("e2e");
  }

  private static Path of(String module) {
    return Checkout.built(module, TestClasses.class).resolve("test-classes");
  }

  /** What the module in this folder has in {@code src/main/java}, compiled. */
  static Path ofMain(String module) {
    Path folder = Checkout.built(module, TestClasses.class).resolve("classes");
    assertThat(folder).isDirectory();
    return folder;
  }

  static JavaClasses imported(List<Path> folders) {
    return new ClassFileImporter().importPaths(folders);
  }
}
