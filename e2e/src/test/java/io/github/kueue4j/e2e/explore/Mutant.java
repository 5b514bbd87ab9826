// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Production code with a mistake in it: one source compiled anew in memory, and together with all
 * that uses it loaded by a class loader of its own.
 */
final class Mutant extends ClassLoader {
  private static final List<String> OWN =
      List.of(
          "io.github.kueue4j.core.lifecycle.",
          "io.github.kueue4j.sdk.internal.fence.",
          "io.github.kueue4j.e2e.explore.");

  private final Map<String, byte[]> compiled;

  private Mutant(Map<String, byte[]> compiled) {
    super(Mutant.class.getClassLoader());
    this.compiled = compiled;
  }

  /** The unchanged code, loaded by the same way. */
  static Mutant unchanged(Path root, Mutation mutation) {
    return new Mutant(compile(mutation.type(), read(root, mutation)));
  }

  static Mutant of(Path root, Mutation mutation) {
    return new Mutant(compile(mutation.type(), mutation.in(read(root, mutation))));
  }

  private static String read(Path root, Mutation mutation) {
    try {
      return Files.readString(root.resolve(mutation.source()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@link Trial} says of it. */
  @SuppressWarnings("unchecked") // Trial is a BiFunction of these under every class loader
  String explore(String world, int bound) throws ReflectiveOperationException {
    var trial =
        (BiFunction<String, Integer, String>)
            loadClass(Trial.class.getName()).getConstructor().newInstance();
    return trial.apply(world, bound);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (OWN.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] code = compiled.get(name);
    if (code == null) {
      code = original(name);
    }
    return defineClass(name, code, 0, code.length);
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream code = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (code == null) {
        throw new ClassNotFoundException(name);
      }
      return code.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static Map<String, byte[]> compile(String type, String code) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> outputs = new HashMap<>();
    StringWriter complaints = new StringWriter();
    try (JavaFileManager files =
        new InMemory(compiler.getStandardFileManager(null, null, null), outputs)) {
      boolean good =
          compiler
              .getTask(
                  complaints,
                  files,
                  null,
                  List.of("-proc:none", "-nowarn", "-implicit:none", "-cp", classPath()),
                  null,
                  List.of(new Source(type, code)))
              .call();
      if (!good) {
        throw new IllegalStateException("a mutation doesn't compile: " + complaints);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, byte[]> classes = new HashMap<>();
    outputs.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String type, String code) {
      super(URI.create("string:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }

  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> outputs;

    InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> outputs) {
      super(files);
      this.outputs = outputs;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location,
        String className,
        JavaFileObject.Kind kind,
        @Nullable FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream output = new ByteArrayOutputStream();
          outputs.put(className, output);
          return output;
        }
      };
    }
  }
}
