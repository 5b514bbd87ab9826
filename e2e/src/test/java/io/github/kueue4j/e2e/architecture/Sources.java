// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The Java sources of all modules. */
public final class Sources {
  private Sources() {}

  /**
   * Those below folders of this name, without entering folders whose files come and go while other
   * tests run.
   *
   * @param folder {@code src/main/java}, for example
   */
  public static List<Path> in(String folder) throws IOException {
    Path root = Checkout.root();
    List<Path> sources = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
            String name = String.valueOf(entered.getFileName());
            boolean pruned = name.startsWith(".") || name.equals("target");
            return pruned && !entered.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java") && file.toString().contains(folder)) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(sources).isNotEmpty();
    return sources;
  }
}
