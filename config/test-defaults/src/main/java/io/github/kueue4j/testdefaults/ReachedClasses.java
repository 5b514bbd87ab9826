// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The classes that a test class names, and those that its fixtures name in turn: read from the
 * class files, without loading them. What is shipped is named, but not followed.
 */
final class ReachedClasses {
  private static final String OURS = "io.github.kueue4j.";
  private static final String NOT_SHIPPED = "io.github.kueue4j.e2e.";
  private static final int MAGIC_AND_VERSION = 8;

  /** A class by itself or within a descriptor, in the form of class files. */
  private static final Pattern NAME = Pattern.compile("[\\w$]+(?:/[\\w$]+)+");

  private static final Map<String, Set<String>> NAMED = new ConcurrentHashMap<>();

  private ReachedClasses() {}

  /** Their names, in the form {@code java.util.Map$Entry}. */
  static Set<String> of(Class<?> test) {
    return of(test.getClassLoader(), test.getName());
  }

  private static Set<String> of(ClassLoader loader, String test) {
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>();
    next.add(test);
    while (!next.isEmpty()) {
      String name = next.remove();
      if (reached.add(name)) {
        next.addAll(named(loader, name));
      }
    }
    return reached;
  }

  private static Set<String> named(ClassLoader loader, String name) {
    if (!name.startsWith(OURS)) {
      return Set.of(); // Not looked for: the class path is long.
    }
    return NAMED.computeIfAbsent(
        name,
        each -> {
          URL file = loader.getResource(each.replace('.', '/') + ".class");
          return file != null && isFollowed(each, file) ? read(file) : Set.of();
        });
  }

  /** Whether it was compiled with tests, of this module or of another, or isn't shipped either. */
  private static boolean isFollowed(String name, URL file) {
    String path = file.getPath();
    return path.contains("/test-classes/")
        || path.contains("-tests.jar!")
        || name.startsWith(NOT_SHIPPED);
  }

  private static Set<String> read(URL file) {
    Set<String> names = new HashSet<>();
    try (InputStream stream = file.openStream();
        DataInputStream in = new DataInputStream(stream)) {
      in.skipNBytes(MAGIC_AND_VERSION);
      int count = in.readUnsignedShort();
      for (int i = 1; i < count; i++) {
        int tag = in.readUnsignedByte();
        switch (tag) {
          case 1 -> addNames(in.readUTF(), names);
          case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
          case 15 -> in.skipNBytes(3);
          case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
          case 5, 6 -> {
            in.skipNBytes(8);
            i++; // These take two places.
          }
          default -> throw new IOException("tag " + tag + " in the constants of " + file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file, e);
    }
    return names;
  }

  private static void addNames(String constant, Set<String> names) {
    if (constant.indexOf('/') < 0) {
      return; // Most of them.
    }
    Matcher name = NAME.matcher(constant);
    while (name.find()) {
      String each = name.group();
      // Of a descriptor such as "(ILjava/util/Map;)V" with the letters before it.
      int start = each.indexOf('/') < 0 ? 0 : each.lastIndexOf('L', each.indexOf('/'));
      names.add(each.replace('/', '.'));
      if (start >= 0) {
        names.add(each.substring(start + 1).replace('/', '.'));
      }
    }
  }
}
