// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.release;

import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The poms of this checkout, as they are written. */
record Poms(Path file, Document pom) {

  /** That of the whole. */
  static Poms root() {
    return read(Checkout.root().resolve("pom.xml"));
  }

  /** Those of all modules. */
  static List<Poms> modules() {
    return root().texts("/project/modules/module").stream()
        .map(module -> read(Checkout.root().resolve(module).resolve("pom.xml")))
        .toList();
  }

  static Poms read(Path file) {
    try {
      return new Poms(
          file, DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(file + " can't be read", e);
    }
  }

  /** Whether its artifact is published. */
  boolean published() {
    return !text("/project/properties/maven.deploy.skip").equals("true");
  }

  String artifact() {
    return text("/project/artifactId");
  }

  /** The text of the one element at this path; empty if there is none. */
  String text(String path) {
    return String.join(" ", texts(path));
  }

  List<String> texts(String path) {
    try {
      NodeList found =
          (NodeList)
              XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
      return IntStream.range(0, found.getLength())
          .mapToObj(i -> found.item(i).getTextContent().strip())
          .toList();
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
