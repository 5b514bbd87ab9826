// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles Java that a page shows. A snippet may be a file, the members of a class, statements or
 * an expression; what it takes from its surroundings is declared before it, {@code <!-- given:
 * ClusterConnection cluster -->}.
 */
final class JavaSnippets {
  /** What a reader's IDE would import. */
  private static final String IMPORTS =
      """
      import io.github.kueue4j.api.*;
      import io.github.kueue4j.api.time.*;
      import io.github.kueue4j.http.*;
      import io.github.kueue4j.http.prometheus.*;
      import io.github.kueue4j.runtime.*;
      import io.github.kueue4j.sdk.*;
      import io.github.kueue4j.sdk.controller.*;
      import io.github.kueue4j.sdk.program.*;
      import io.github.kueue4j.sdk.rbac.*;
      import io.kubernetes.client.openapi.models.*;
      import java.io.IOException;
      import java.net.http.*;
      import java.net.http.HttpResponse.BodyHandlers;
      import java.util.random.RandomGenerator;
      import io.github.kueue4j.apiserver.*;
      import io.github.kueue4j.testkit.client.JsonApi;
      import io.github.kueue4j.testkit.conformance.*;
      import io.github.kueue4j.testkit.junit.*;
      import io.github.kueue4j.testkit.script.*;
      import io.github.kueue4j.apiserver.traffic.*;
      import java.net.*;
      import java.nio.file.*;
      import java.time.*;
      import java.util.*;
      import java.util.function.*;
      import org.junit.jupiter.api.*;
      """;

  /** The check of the guide, whose controller other examples start. */
  private static final String LICENSE_CHECK =
      """
      class LicenseCheck {
        static CheckController controller(CheckEnvironment environment) {
          throw new IllegalStateException();
        }
      }
      """;

  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:(?:public|final|sealed|abstract) )*(?:class|interface|record|enum) (\\w+)");
  private static final Pattern NAMED_TYPE =
      Pattern.compile("public (?:final |sealed |abstract )*(?:class|interface|record|enum) (\\w+)");

  private JavaSnippets() {}

  /** The compiler's complaints; empty if the snippet compiles. */
  static List<String> complaints(Page.Snippet snippet) {
    String code = snippet.code();
    String given = snippet.markers().getOrDefault("given", "");
    if (isFile(code)) {
      return compile(code.contains("import ") ? code : IMPORTS + completed(code));
    }
    List<List<String>> tries = new ArrayList<>();
    for (String source :
        List.of(
            members(code, given), statements(code, given), body(code, given), value(code, given))) {
      List<String> complaints = compile(IMPORTS + completed(source));
      if (complaints.isEmpty()) {
        return complaints;
      }
      tries.add(complaints);
    }
    return tries.stream().min(Comparator.comparingInt(List::size)).orElseThrow();
  }

  private static boolean isFile(String code) {
    return code.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("//") && !line.startsWith("@"))
        .findFirst()
        .filter(
            line ->
                line.startsWith("package ")
                    || line.startsWith("import ")
                    || TYPE.matcher(line).find())
        .isPresent();
  }

  private static String members(String code, String given) {
    StringBuilder fields = new StringBuilder();
    for (String field : given.split(",\\s*(?![^<]*>)", -1)) {
      fields.append(field.isEmpty() ? "" : "static " + field + ";\n");
    }
    return "class Members {\n" + fields + code + "}\n";
  }

  private static String statements(String code, String given) {
    return "class Statements { void run(" + given + ") throws Exception {\n" + code + "} }\n";
  }

  private static String body(String code, String given) {
    return "class Body { Object run(" + given + ") throws Exception {\n" + code + "} }\n";
  }

  private static String completed(String source) {
    boolean lacks = source.contains("LicenseCheck.") || source.contains("LicenseCheck::");
    return lacks && !source.contains("class LicenseCheck ") ? source + LICENSE_CHECK : source;
  }

  private static String value(String code, String given) {
    return "class Value { Object value(" + given + ") throws Exception { return\n" + code + "; } }";
  }

  private static List<String> compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    Matcher named = NAMED_TYPE.matcher(source);
    String name = named.find() ? named.group(1) : "Snippet";
    try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null);
        JavaFileManager discarding = new Discarding(files)) {
      compiler
          .getTask(
              null,
              discarding,
              found,
              List.of("-proc:none", "-classpath", System.getProperty("java.class.path")),
              null,
              List.of(new Source(name, source)))
          .call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> each.getMessage(Locale.ROOT) + " in: " + lineOf(source, each.getLineNumber()))
        .toList();
  }

  private static String lineOf(String source, long line) {
    return line < 1 ? "" : source.lines().skip(line - 1).findFirst().orElse("").strip();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Whether it compiles is all that matters; no class file is written. */
  private static final class Discarding extends ForwardingJavaFileManager<JavaFileManager> {
    Discarding(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("discard:///" + name), kind) {
        @Override
        public OutputStream openOutputStream() {
          return OutputStream.nullOutputStream();
        }
      };
    }
  }
}
