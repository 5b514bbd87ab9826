// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class LogLogChartTest {
  private static final Map<Integer, Double> POINTS = Map.of(1_000, 0.02, 100_000, 2.0);

  @Test
  void aLineThatGrowsInProportionLiesOnTheLinearOne() throws Exception {
    Document chart = parsed(new LogLogChart("t", "x", "y").line("one", POINTS));

    assertThat(attribute(chart, "polyline", "points")).isEqualTo("70.0,321.9 620.0,135.2");
    Element linear = (Element) chart.getElementsByTagName("line").item(7);
    assertThat(linear.getAttribute("class")).isEqualTo("linear");
    assertThat(List.of("x1", "y1", "x2", "y2").stream().map(linear::getAttribute))
        .containsExactly("70.0", "321.9", "620.0", "135.2");
  }

  @Test
  void namesAreEscaped() throws Exception {
    Document chart = parsed(new LogLogChart("a < \"b\" & c", "x", "y").line("<one>", POINTS));

    assertThat(chart.getDocumentElement().getAttribute("aria-label")).isEqualTo("a < \"b\" & c");
    assertThat(chart.getDocumentElement().getTextContent()).contains("<one>");
  }

  @Test
  void whatHasNoLogarithmIsRefused() {
    assertThatThrownBy(() -> new LogLogChart("t", "x", "y").line("one", Map.of(1, 0.0)))
        .hasMessageContaining("one");
  }

  private static String attribute(Document chart, String tag, String name) {
    return ((Element) chart.getElementsByTagName(tag).item(0)).getAttribute(name);
  }

  private static Document parsed(LogLogChart chart) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(chart.svg())));
  }
}
