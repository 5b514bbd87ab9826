// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * The failed tests of a module: written into a file of its own in {@code target/failed-tests}, as
 * the name of the test, its failure in a line, its seed if it has one, and the command that repeats
 * it. How many tests there were is left in {@code target/test-counts}.
 */
final class FailedTests {
  /** A failure names its seed as the property that gives it again. */
  private static final Pattern PROPERTY = Pattern.compile("-Dkueue4j\\.[\\w.]+=\\S*[\\w'\"]");

  private static final Pattern SEED = Pattern.compile("\\bseed = (-?\\d+)");
  private static final int LONGEST_MESSAGE = 300;

  /** Runs the tests of many modules in one JVM. */
  private static final String SHARED = "config/tests";

  private final Path root;
  private final Path module;
  private final TestPlan plan;

  FailedTests(Path module, TestPlan plan) {
    this.module = module;
    this.root = root(module);
    this.plan = plan;
    try {
      Files.deleteIfExists(file("failed-tests")); // Of a process that had the same number.
    } catch (IOException e) {
      throw new UncheckedIOException("can't remove what failed in an earlier run", e);
    }
  }

  private Path file(String folder) {
    return module.resolve("target/" + folder + '/' + ProcessHandle.current().pid() + ".txt");
  }

  /** Leaves how many tests there were. */
  void count(int passed, int failed, int skipped) {
    String line = passed + " " + failed + " " + skipped + "\n";
    write("test-counts", line, StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static Path root(Path module) {
    Path folder = module;
    while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
    }
    return folder == null ? module : folder;
  }

  /** The module's folder, as {@code -pl} takes it. */
  String module() {
    String path = root.relativize(module).toString();
    return path.isEmpty() ? module.getFileName().toString() : path;
  }

  /** Writes down the seed of a property that failed; returns all that jqwik says of it. */
  List<String> reported(TestIdentifier test, ReportEntry entry) {
    List<String> said = new ArrayList<>();
    for (String text : entry.getKeyValuePairs().values()) {
      Matcher seed = SEED.matcher(text);
      if (seed.find()) {
        said.add(text);
        // The next run on this machine begins with it: jqwik.database in junit-platform.properties.
        append(
            "%s: seed %s, with which jqwik begins the next time%n"
                .formatted(name(test), seed.group(1)));
      }
    }
    return said;
  }

  /** Writes it down; says in one line which test it is, and what happened. */
  String add(TestIdentifier test, Throwable failure) {
    String line = name(test) + ": " + firstLine(failure);
    append(line + "\n  " + command(test, failure) + '\n');
    return line;
  }

  private void append(String text) {
    write("failed-tests", text, StandardOpenOption.APPEND);
  }

  private void write(String folder, String text, StandardOpenOption how) {
    try {
      Files.createDirectories(file(folder).getParent());
      Files.writeString(
          file(folder), text, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
    } catch (IOException e) {
      throw new UncheckedIOException("can't write into target/" + folder + ": " + text, e);
    }
  }

  private static String firstLine(Throwable failure) {
    String line = failure.toString().lines().map(String::strip).collect(Collectors.joining(" "));
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + " ...";
  }

  private String name(TestIdentifier test) {
    String method = source(test).map(FailedTests::method).orElse("");
    String inClass =
        source(test).map(FailedTests::className).orElse(test.getUniqueId())
            + (method.isEmpty() ? "" : "." + method);
    boolean isNamed = !method.isEmpty() && test.getDisplayName().startsWith(method);
    return test.isTest() && !isNamed ? inClass + ' ' + test.getDisplayName() : inClass;
  }

  private String command(TestIdentifier test, Throwable failure) {
    if (test.getParentIdObject().isEmpty()) {
      return "./mvnw verify # an engine failed";
    }
    String type = source(test).map(FailedTests::className).orElse("*");
    String method = source(test).map(FailedTests::method).orElse("");
    Set<String> properties = new LinkedHashSet<>();
    find(failure, properties);
    String own = module().equals(SHARED) && !isProperty(test) ? moduleOf(type) : module();
    return "./mvnw -q -o%s -pl %s -am test%s '-Dtest=%s%s' -Dsurefire.failIfNoSpecifiedTests=false%s"
        .formatted(
            Nightly.isOn() ? " -Pnightly" : "",
            own,
            own.equals(SHARED) ? " -Dkueue4j.together" : "",
            type.substring(type.lastIndexOf('.') + 1),
            method.isEmpty() ? "" : "#" + method,
            properties.stream().map(each -> " " + each).collect(Collectors.joining()));
  }

  /** Whether jqwik keeps the seed that it failed with, where it ran. */
  private static boolean isProperty(TestIdentifier test) {
    return test.getUniqueIdObject().getEngineId().filter("jqwik"::equals).isPresent();
  }

  /** The module that has the class's source, if it is found. */
  private String moduleOf(String type) {
    int nested = type.indexOf('$');
    String outermost = nested < 0 ? type : type.substring(0, nested);
    String source = "src/test/java/%s.java".formatted(outermost.replace('.', '/'));
    try (Stream<Path> folders = Files.find(root, 2, (path, facts) -> facts.isDirectory())) {
      return folders
          .filter(folder -> Files.exists(folder.resolve(source)))
          .map(folder -> root.relativize(folder).toString())
          .findFirst()
          .orElseGet(this::module);
    } catch (IOException | UncheckedIOException e) {
      return module(); // A folder that can't be read keeps no failure from being told.
    }
  }

  private static void find(@Nullable Throwable failure, Set<String> properties) {
    if (failure == null) {
      return;
    }
    Matcher property = PROPERTY.matcher(failure.toString());
    while (property.find()) {
      properties.add(property.group());
    }
    find(failure.getCause(), properties);
    for (Throwable suppressed : failure.getSuppressed()) {
      find(suppressed, properties);
    }
  }

  /** The source of the test, or of what is around it: dynamic tests have none. */
  private Optional<TestSource> source(TestIdentifier test) {
    Optional<TestIdentifier> each = Optional.of(test);
    while (each.isPresent()) {
      Optional<TestSource> source = each.get().getSource();
      if (source.filter(FailedTests::isJava).isPresent()) {
        return source;
      }
      each = plan.getParent(each.get());
    }
    return Optional.empty();
  }

  private static boolean isJava(TestSource source) {
    return source instanceof ClassSource || source instanceof MethodSource;
  }

  private static String className(TestSource source) {
    return source instanceof MethodSource method
        ? method.getClassName()
        : ((ClassSource) source).getClassName();
  }

  private static String method(TestSource source) {
    return source instanceof MethodSource method ? method.getMethodName() : "";
  }
}
