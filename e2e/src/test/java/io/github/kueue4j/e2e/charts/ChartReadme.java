// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The README of a chart: its values with their defaults and comments, as values.yaml has them. */
final class ChartReadme {
  private static final Pattern KEY = Pattern.compile("^( *)([A-Za-z0-9_]+):(.*)$");
  private static final Gson JSON = new GsonBuilder().disableHtmlEscaping().create();
  private static final int INDENT = 2;

  /** A key of values.yaml with the comment above it, which is empty if there is none. */
  private record Value(List<String> path, String comment, Object standard) {
    String key() {
      return String.join(".", path);
    }

    boolean within(Value other) {
      return path.size() > other.path.size()
          && path.subList(0, other.path.size()).equals(other.path);
    }
  }

  private ChartReadme() {}

  static String of(Chart chart) throws IOException {
    Path folder = chart.folder();
    Map<String, Object> about =
        Chart.parse(Files.readString(folder.resolve("Chart.yaml"))).getFirst().tree();
    StringBuilder page = new StringBuilder();
    page.append(
        "<!-- Made from Chart.yaml and values.yaml by ChartReadmeTest; see CONTRIBUTING.md. -->\n");
    page.append("# ").append(about.get("name")).append("\n\n").append(about.get("description"));
    page.append(
        ".\n\nHow to install, upgrade and uninstall it: [install](../../docs/guides/install.md). ");
    page.append("How much memory it needs: [sizing](../../docs/guides/sizing.md).\n\n");
    page.append("## Values\n\n| Key | Default | Meaning |\n|---|---|---|\n");
    List<Value> values = values(chart);
    for (Value value : rows(values)) {
      String standard = isSection(value, values) ? "" : standard(value);
      page.append(
          "| `%s` | %s | %s |\n".formatted(value.key(), standard, escaped(value.comment())));
    }
    return page.toString();
  }

  /** A mapping in which no key has a comment is one row, without rows for its keys. */
  private static List<Value> rows(List<Value> values) {
    List<Value> rows = new ArrayList<>();
    List<Value> wholes = new ArrayList<>();
    for (Value value : values) {
      if (wholes.stream().noneMatch(value::within)) {
        rows.add(value);
        if (!isSection(value, values)) {
          wholes.add(value);
        }
      }
    }
    return rows;
  }

  private static boolean isSection(Value value, List<Value> values) {
    return values.stream().anyMatch(each -> each.within(value) && !each.comment().isEmpty());
  }

  private static String standard(Value value) {
    if (value.standard() instanceof String text && text.contains("\n")) {
      return "[values.yaml](values.yaml)";
    }
    return "`" + escaped(JSON.toJson(value.standard())) + "`";
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }

  private static List<Value> values(Chart chart) throws IOException {
    Map<String, Object> standards = chart.values();
    List<Value> values = new ArrayList<>();
    List<String> path = new ArrayList<>();
    List<String> comment = new ArrayList<>();
    int text = Integer.MAX_VALUE; // Lines that are indented more belong to a text or a list.
    for (String line : Files.readAllLines(chart.folder().resolve("values.yaml"))) {
      int indent = line.length() - line.stripLeading().length();
      Matcher key = KEY.matcher(line);
      if (line.isBlank() || indent > text) {
        comment.clear();
      } else if (line.strip().startsWith("#")) {
        comment.add(line.strip().substring(1).strip());
      } else if (key.matches()) {
        text = key.group(3).strip().equals("|") ? indent : Integer.MAX_VALUE;
        path.subList(Math.min(path.size(), indent / INDENT), path.size()).clear();
        path.add(key.group(2));
        values.add(new Value(List.copyOf(path), String.join(" ", comment), at(standards, path)));
        comment.clear();
      } else {
        text = indent - 1; // A list.
      }
    }
    return values;
  }

  private static Object at(Map<String, Object> values, List<String> path) {
    Object found = values;
    for (String key : path) {
      found = Chart.asMap(found).get(key);
    }
    return found;
  }
}
