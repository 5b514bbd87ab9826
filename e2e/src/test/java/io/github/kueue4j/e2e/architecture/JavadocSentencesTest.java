// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sentences of Javadoc have a subject, as those of the JDK's own pages: a reader of a class's first
 * line learns what the class is, not what question it answers.
 */
class JavadocSentencesTest {
  private static final String SUBJECT =
      " begins without a subject: name the thing, as in 'The client's trust'";

  /** The first words of a sentence whose subject is a riddle. */
  private static final Pattern RIDDLE =
      Pattern.compile("(?:Whom|Whose|Who|Whoever|Th(?:at|ose) (?:of|which))\\b");

  /** Pronouns at the beginning of a first sentence: nothing before it says what they stand for. */
  private static final Pattern FRAGMENT = Pattern.compile("(?:That|Those|Of|Which)\\b");

  /** Only booleans and accessors may have such a first sentence. */
  private static final Pattern QUESTION = Pattern.compile("Wh(?:at|ether)\\b");

  private static final Pattern EXAMPLE = Pattern.compile("<pre>.*?</pre>", Pattern.DOTALL);
  private static final Pattern TAGS = Pattern.compile("(?m)^ ?@.*", Pattern.DOTALL);
  private static final Pattern BETWEEN = Pattern.compile("(?<=[.?!])\\s+|\\s*<(?:p|li)>\\s*");

  @Test
  void haveASubject() throws IOException {
    assertThat(complaints(Sources.in("src/main/java"))).isEmpty();
  }

  @Test
  void aRiddleIsFound(@TempDir Path folder) throws IOException {
    Path source =
        Files.writeString(
            folder.resolve("Riddle.java"),
            """
            /** What a class is. */
            class Riddle {
              /** Whether it is told. */
              boolean told;

              /** What it is told. */
              String news() {
                return "";
              }

              /** What others are told. */
              String news(String other) {
                return "";
              }

              /** Whether that fits. */
              boolean fits(String other) {
                return told;
              }

              /** The trust. Whom it trusts. */
              void trust() {}

              /**
               * Of a pod.
               *
               * @param other whom it trusts. Whom else.
               */
              Riddle(String other) {}
            }
            """);

    assertThat(complaints(List.of(source)))
        .extracting(complaint -> complaint.replaceFirst(" begins .*", ""))
        .containsExactly(
            "Riddle.java:2: 'What a class is.'",
            "Riddle.java:12: 'What others are told.'",
            "Riddle.java:22: 'Whom it trusts.'",
            "Riddle.java:29: 'Of a pod.'");
  }

  private static List<String> complaints(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources));
      Reader reader = new Reader(DocTrees.instance(task));
      reader.scan(task.parse(), null);
      return reader.complaints;
    }
  }

  private static final class Reader extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final List<String> complaints = new ArrayList<>();
    private final DocTrees trees;

    Reader(DocTrees trees) {
      this.trees = trees;
    }

    @Override
    public @Nullable Void scan(@Nullable Tree tree, @Nullable Void nothing) {
      if (tree != null && getCurrentPath() != null) {
        read(new TreePath(getCurrentPath(), tree));
      }
      return super.scan(tree, null);
    }

    private void read(TreePath path) {
      @Nullable String comment = trees.getDocComment(path);
      if (comment == null) {
        return;
      }
      String text = EXAMPLE.matcher(TAGS.matcher(comment).replaceFirst("")).replaceAll("");
      List<String> sentences = Stream.of(BETWEEN.split(text.strip())).toList();
      boolean asked = isBooleanOrAccessor(path.getLeaf());
      for (int i = 0; i < sentences.size(); i++) {
        String sentence = sentences.get(i);
        if (RIDDLE.matcher(sentence).lookingAt()
            || (i == 0 && FRAGMENT.matcher(sentence).lookingAt())
            || (i == 0 && !asked && QUESTION.matcher(sentence).lookingAt())) {
          complaints.add(place(path) + ": '" + sentence.replaceAll("\\s+", " ") + "'" + SUBJECT);
        }
      }
    }

    private String place(TreePath path) {
      CompilationUnitTree unit = path.getCompilationUnit();
      long start = trees.getSourcePositions().getStartPosition(unit, path.getLeaf());
      Path file = Path.of(unit.getSourceFile().toUri());
      Path root = Checkout.root();
      return (file.startsWith(root) ? root.relativize(file) : file.getFileName())
          + ":"
          + unit.getLineMap().getLineNumber(start);
    }

    private static boolean isBooleanOrAccessor(Tree declared) {
      return switch (declared) {
        case VariableTree field -> true;
        case MethodTree method -> {
          String type = String.valueOf(method.getReturnType());
          yield type.contains("boolean")
              || type.contains("Boolean")
              || type.contains("Predicate")
              || (method.getParameters().isEmpty()
                  && method.getReturnType() != null
                  && !type.equals("void"));
        }
        default -> false;
      };
    }
  }
}
