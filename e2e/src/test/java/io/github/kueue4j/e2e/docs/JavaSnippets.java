// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
      import io.github.kueue4j.runtime.client.*;
      import io.github.kueue4j.runtime.controller.*;
      import io.github.kueue4j.runtime.http.*;
      import io.github.kueue4j.runtime.informer.*;
      import io.github.kueue4j.runtime.lease.*;
      import io.github.kueue4j.runtime.patch.*;
      import io.github.kueue4j.runtime.tls.*;
      import io.github.kueue4j.sdk.*;
      import io.github.kueue4j.sdk.maintenance.*;
      import io.github.kueue4j.sdk.objects.*;
      import io.github.kueue4j.sdk.program.*;
      import io.github.kueue4j.sdk.rbac.*;
      import io.kubernetes.client.openapi.models.*;
      import java.io.IOException;
      import java.net.http.*;
      import java.net.http.HttpResponse.BodyHandlers;
      import java.util.random.RandomGenerator;
      import io.github.kueue4j.apiserver.*;
      import io.github.kueue4j.apiserver.access.User;
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
  private static final Pattern PACKAGE = Pattern.compile("^package [\\w.]+;", Pattern.MULTILINE);
  private static final Pattern NAMED_TYPE =
      Pattern.compile("public (?:final |sealed |abstract )*(?:class|interface|record|enum) (\\w+)");

  private JavaSnippets() {}

  /**
   * The compiler's complaints about each, in the same order; none if it compiles. They are compiled
   * together: to read the class path anew for each would take a second of processor time each.
   */
  static List<List<String>> complaints(List<Page.Snippet> snippets) {
    List<List<Source>> forms = new ArrayList<>();
    int number = 0;
    for (Page.Snippet snippet : snippets) {
      List<Source> ofOne = new ArrayList<>();
      for (String text : forms(snippet)) {
        ofOne.add(Source.of("snippet" + number++, text));
      }
      forms.add(ofOne);
    }
    Map<Source, List<String>> found = compile(forms.stream().flatMap(List::stream).toList());
    return forms.stream()
        .map(
            ofOne ->
                ofOne.stream()
                    .map(form -> found.getOrDefault(form, List.of()))
                    .min(Comparator.comparingInt(List::size))
                    .orElseThrow())
        .toList();
  }

  /** What a snippet may be; one of them has to compile. */
  private static List<String> forms(Page.Snippet snippet) {
    String code = snippet.code();
    String given = snippet.markers().getOrDefault("given", "");
    return isFile(code)
        ? List.of(code.contains("import ") ? code : IMPORTS + completed(code))
        : Stream.of(
                members(code, given),
                statements(code, given),
                body(code, given),
                value(code, given))
            .map(form -> IMPORTS + completed(form))
            .toList();
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

  private static Map<Source, List<String>> compile(List<Source> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    // What doesn't even parse must not keep the compiler from the others.
    List<String> options =
        List.of(
            "-proc:none",
            "--should-stop=ifError=FLOW",
            "-Xmaxerrs",
            "100000",
            "-classpath",
            System.getProperty("java.class.path"));
    try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null);
        JavaFileManager discarding = new Discarding(files)) {
      compiler.getTask(null, discarding, found, options, null, sources).call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<Source, List<String>> complaints = new HashMap<>();
    for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        if (!(each.getSource() instanceof Source source)) {
          throw new IllegalStateException(each.toString());
        }
        complaints
            .computeIfAbsent(source, absent -> new ArrayList<>())
            .add(each.getMessage(Locale.ROOT) + " in: " + source.line(each.getLineNumber()));
      }
    }
    return complaints;
  }

  /** A form of a snippet, in a package of its own, so that it meets no other. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    private Source(URI uri, String text) {
      super(uri, Kind.SOURCE);
      this.text = text;
    }

    static Source of(String packageName, String form) {
      String declared = "package " + packageName + ";";
      Matcher own = PACKAGE.matcher(form);
      Matcher named = NAMED_TYPE.matcher(form);
      String file = (named.find() ? named.group(1) : "Snippet") + ".java";
      return new Source(
          URI.create("string:///" + packageName + "/" + file),
          own.find() ? own.replaceFirst(declared) : declared + form);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    String line(long number) {
      return number < 1 ? "" : text.lines().skip(number - 1).findFirst().orElse("").strip();
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
