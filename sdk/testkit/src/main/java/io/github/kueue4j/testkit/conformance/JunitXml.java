// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A report as a {@code testsuite} of JUnit's XML. */
final class JunitXml {
  /** What XML 1.0 doesn't allow, even escaped. A controller's message may have anything. */
  private static final String NOT_XML =
      "[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]";

  private final XMLStreamWriter xml;

  private JunitXml(XMLStreamWriter xml) {
    this.xml = xml;
  }

  static String of(ConformanceReport report) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      new JunitXml(xml).write(report);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("can't write XML to memory", e);
    }
    return text.append('\n').toString();
  }

  private void write(ConformanceReport report) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    attribute("name", "conformance of " + report.controllerName());
    attribute("tests", Integer.toString(report.outcomes().size()));
    attribute("failures", Integer.toString(report.broken().size()));
    attribute("errors", "0");
    attribute("skipped", Integer.toString(report.skipped().size()));
    for (Outcome outcome : report.outcomes()) {
      xml.writeCharacters("\n  ");
      xml.writeStartElement("testcase");
      attribute("classname", report.controllerName());
      Rule rule = outcome.rule();
      attribute("name", String.format(Locale.ROOT, "%02d %s", rule.number(), rule.label()));
      result(outcome);
      xml.writeEndElement();
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void result(Outcome outcome) throws XMLStreamException {
    switch (outcome.verdict()) {
      case PASS -> {}
      case SKIPPED -> {
        xml.writeEmptyElement("skipped");
        attribute("message", outcome.evidence());
      }
      case FAIL -> {
        Rule rule = outcome.rule();
        xml.writeStartElement("failure");
        attribute("type", rule.label());
        attribute("message", "the controller must keep this: it " + rule.demand());
        xml.writeCharacters(
            clean(
                outcome.evidence()
                    + "\nremedy: "
                    + rule.remedy()
                    + "\nsee: "
                    + rule.passage()
                    + "\nsource: "
                    + rule.source()));
        xml.writeEndElement();
      }
    }
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, clean(value));
  }

  private static String clean(String text) {
    return text.replaceAll(NOT_XML, "?");
  }
}
