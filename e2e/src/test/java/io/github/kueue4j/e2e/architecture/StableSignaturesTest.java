// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;

/** The signatures of the types that docs/api-stability.md names: none changes unseen. */
class StableSignaturesTest {
  private static final Path FILE = Checkout.root().resolve("config/stable-signatures.txt");

  /** A row of the table: types, and their package. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`\\w+`(?:, `\\w+`)*) \\| `([\\w.]+)` \\|$");

  @Test
  void areThoseOfTheFile() throws Exception {
    Set<String> now = signatures();
    if (Boolean.getBoolean("kueue4j.signatures.write")) {
      Files.write(FILE, now);
    }
    Set<String> before = new TreeSet<>(Files.readAllLines(FILE));

    assertThat(Stream.concat(only("- ", before, now), only("+ ", now, before)))
        .as(
            "what users compile against has changed (- was, + is). If that is wanted, say in"
                + " CHANGELOG.md what to write instead, and write %s anew: run this test with"
                + " -Dkueue4j.signatures.write=true",
            FILE.getFileName())
        .isEmpty();
  }

  private static Stream<String> only(String mark, Set<String> these, Set<String> others) {
    return these.stream().filter(line -> !others.contains(line)).map(line -> mark + line);
  }

  private static Set<String> signatures() throws IOException, ClassNotFoundException {
    Set<String> lines = new TreeSet<>();
    String page = Files.readString(Checkout.root().resolve("docs/api-stability.md"));
    for (var row : ROW.matcher(page).results().toList()) {
      for (String type : row.group(1).replace("`", "").split(", ", -1)) {
        addTo(lines, Class.forName(row.group(2) + '.' + type));
      }
    }
    assertThat(lines).hasSizeGreaterThan(300);
    return lines;
  }

  private static void addTo(Set<String> lines, Class<?> type) {
    // Whether sealed is printed depends on the Java that runs this; the next line tells.
    lines.add(type.toGenericString().replaceFirst("(non-)?sealed ", ""));
    if (type.isSealed()) {
      lines.add(type.getName() + " permits " + names(type.getPermittedSubclasses()));
    }
    for (Field field : type.getDeclaredFields()) {
      if (isShown(field)) {
        lines.add(field.toGenericString());
      }
    }
    Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods())
        .<Executable>flatMap(Arrays::stream)
        .filter(member -> isShown(member))
        .map(Executable::toGenericString)
        .forEach(lines::add);
    for (Class<?> nested : type.getDeclaredClasses()) {
      if (isShown(nested.getModifiers(), nested)) {
        addTo(lines, nested);
      }
    }
  }

  private static List<String> names(Class<?>... types) {
    return Stream.of(types).map(Class::getName).toList();
  }

  private static <M extends AnnotatedElement & Member> boolean isShown(M member) {
    return !member.isSynthetic() && isShown(member.getModifiers(), member);
  }

  private static boolean isShown(int modifiers, AnnotatedElement element) {
    API status = element.getAnnotation(API.class);
    return (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))
        && (status == null || status.status() != API.Status.INTERNAL);
  }
}
