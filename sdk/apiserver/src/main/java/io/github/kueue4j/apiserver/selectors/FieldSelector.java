// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.selectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A {@code fieldSelector} query: {@code path=value}, {@code ==} or {@code !=}, separated by commas;
 * a backslash takes the meaning from a comma, equals sign or backslash.
 */
@API(status = API.Status.INTERNAL)
public final class FieldSelector {

  private record Term(String path, String value, boolean equal) {}

  private final List<Term> terms;

  private FieldSelector(List<Term> terms) {
    this.terms = terms;
  }

  /**
   * Parses a field selector.
   *
   * @param supported the paths that the kind can be selected by, beyond metadata.name and
   *     metadata.namespace
   * @param custom whether a CustomResourceDefinition defines the kind, which words the refusal
   * @throws SelectorSyntaxException if the text is no field selector or names an unsupported path
   */
  public static FieldSelector parse(String text, Set<String> supported, boolean custom) {
    List<Term> terms = new ArrayList<>();
    for (String part : split(text)) {
      if (!part.isBlank()) {
        terms.add(term(part, text));
      }
    }
    for (Term term : terms) {
      if (!term.path.equals("metadata.name")
          && !term.path.equals("metadata.namespace")
          && !supported.contains(term.path)) {
        throw new SelectorSyntaxException(
            supported.isEmpty() && !custom
                ? "\""
                    + term.path
                    + "\" is not a known field selector: only \"metadata.name\","
                    + " \"metadata.namespace\""
                : "field label not supported: " + term.path);
      }
    }
    return new FieldSelector(terms);
  }

  /** The selector over objects in the form that is served. */
  public Selector selector() {
    if (terms.isEmpty()) {
      return Selector.ALL;
    }
    return tree -> {
      for (Term term : terms) {
        if (valueAt(tree, term.path).equals(term.value) != term.equal) {
          return false;
        }
      }
      return true;
    };
  }

  private static String valueAt(ObjectNode tree, String path) {
    JsonNode value = Trees.at(tree, path);
    return value == null || value.isNull() ? "" : value.asText();
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        part.append(c).append(text.charAt(++i));
      } else if (c == ',') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }

  private static Term term(String part, String all) {
    int at = part.indexOf('=');
    if (at < 1) {
      throw new SelectorSyntaxException(
          "invalid selector: '" + all + "'; can't understand '" + part + "'");
    }
    boolean equal = part.charAt(at - 1) != '!';
    String path = part.substring(0, equal ? at : at - 1).strip();
    String value = part.substring(at + 1);
    if (equal && value.startsWith("=")) {
      value = value.substring(1);
    }
    return new Term(path, unescape(value.strip()), equal);
  }

  private static String unescape(String value) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) == '\\' && i + 1 < value.length()) {
        i++;
      }
      result.append(value.charAt(i));
    }
    return result.toString();
  }
}
