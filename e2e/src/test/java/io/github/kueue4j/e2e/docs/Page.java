// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * A Markdown page, as far as it can be checked.
 *
 * @param name relative to the checkout, such as {@code docs/lifecycle.md}
 * @param snippets its fenced blocks in order
 * @param anchors what a link may name after {@code #}
 * @param links the targets of its links
 * @param words its inline code
 * @param methods the inline code that is a link to a source of what is shipped
 */
public record Page(
    String name,
    List<Snippet> snippets,
    Set<String> anchors,
    List<String> links,
    Set<String> words,
    Set<LinkedMethod> methods) {
  private static final Pattern MARKER =
      Pattern.compile("<!--\\s*([a-z]+):\\s*(.*?)\\s*-->", Pattern.DOTALL);
  static final String SOURCES = "/src/main/java/";
  private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules", ".kueue4j");

  /**
   * One fenced block.
   *
   * @param language the first word after the fence
   * @param markers what the comments right before it say, such as {@code <!-- file: queue.yaml -->}
   */
  public record Snippet(String language, String code, Map<String, String> markers, int line) {}

  /**
   * A method that a page names in a link to its source.
   *
   * @param name such as {@code StateLoop.post}
   * @param source relative to the page
   */
  public record LinkedMethod(String name, String source) {}

  /** Every page of the checkout, by name. */
  public static Map<String, Page> all(Path root) throws IOException {
    Map<String, Page> pages = new LinkedHashMap<>();
    List<Path> files = new ArrayList<>();
    Deque<Path> folders = new ArrayDeque<>(List.of(root));
    while (!folders.isEmpty()) {
      try (Stream<Path> entries = Files.list(folders.pop())) {
        for (Path entry : entries.sorted().toList()) {
          if (Files.isDirectory(entry) && !NOT_OURS.contains(entry.getFileName().toString())) {
            folders.add(entry);
          } else if (entry.toString().endsWith(".md")) {
            files.add(entry);
          }
        }
      }
    }
    for (Path file : files) {
      String name = root.relativize(file).toString();
      pages.put(name, parse(name, Files.readString(file)));
    }
    return pages;
  }

  static Page parse(String name, String markdown) {
    Reader reader = new Reader();
    Parser.builder()
        .includeSourceSpans(IncludeSourceSpans.BLOCKS)
        .build()
        .parse(markdown)
        .accept(reader);
    return new Page(
        name, reader.snippets, reader.anchors, reader.links, reader.words, reader.methods);
  }

  /** Every call of {@code ./kueue4j} in its commands and sentences, without comments. */
  public List<String> launches() {
    return Stream.concat(
            snippets.stream()
                .filter(snippet -> snippet.language().equals("sh"))
                .flatMap(snippet -> snippet.code().lines()),
            words.stream())
        .map(line -> line.replaceAll("\\s+#.*", "").strip())
        .filter(line -> line.startsWith("./kueue4j "))
        .toList();
  }

  private static final class Reader extends AbstractVisitor {
    private final List<Snippet> snippets = new ArrayList<>();
    private final Set<String> anchors = new LinkedHashSet<>();
    private final Map<String, Integer> headings = new HashMap<>();
    private final List<String> links = new ArrayList<>();
    private final Set<String> words = new LinkedHashSet<>();
    private final Set<LinkedMethod> methods = new LinkedHashSet<>();

    @Override
    public void visit(FencedCodeBlock block) {
      String info = block.getInfo() == null ? "" : block.getInfo();
      snippets.add(
          new Snippet(
              info.split(" ", 2)[0], block.getLiteral(), markersBefore(block), line(block)));
    }

    private static Map<String, String> markersBefore(Node block) {
      Map<String, String> markers = new LinkedHashMap<>();
      for (Node before = block.getPrevious();
          before instanceof HtmlBlock html;
          before = before.getPrevious()) {
        Matcher marker = MARKER.matcher(html.getLiteral());
        while (marker.find()) {
          markers.put(marker.group(1), marker.group(2).replaceAll("\\s+", " "));
        }
      }
      return markers;
    }

    private static int line(Block block) {
      return block.getSourceSpans().getFirst().getLineIndex() + 1;
    }

    /** As the hosting site makes anchors: words in lower case, joined by hyphens. */
    @Override
    public void visit(Heading heading) {
      String slug =
          text(heading)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int before = headings.merge(slug, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? slug : slug + "-" + before);
      visitChildren(heading);
    }

    private static String text(Node node) {
      StringBuilder text = new StringBuilder();
      node.accept(
          new AbstractVisitor() {
            @Override
            public void visit(Text part) {
              text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
              text.append(part.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak part) {
              text.append(' ');
            }
          });
      return text.toString();
    }

    @Override
    public void visit(Link link) {
      links.add(link.getDestination());
      if (link.getFirstChild() instanceof Code name && link.getDestination().contains(SOURCES)) {
        methods.add(new LinkedMethod(name.getLiteral(), link.getDestination()));
      }
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      links.add(image.getDestination());
    }

    @Override
    public void visit(Code code) {
      words.add(code.getLiteral());
    }
  }
}
