// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.runtime.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages of a list have about 4 MB, whatever the size of the objects. */
class PageLimitTest {

  private static final Pattern LIMIT = Pattern.compile("limit=(\\d+)");
  private static final Pattern NEXT = Pattern.compile("continue=(\\d+)");

  /** A server with this many objects of one size, which keeps to the limits. */
  private static ScriptedServer server(int objects, int size) {
    return new ScriptedServer(
        (request, answer) -> {
          int from = number(NEXT, request.query());
          int to = Math.min(objects, from + number(LIMIT, request.query()));
          List<String> items = new ArrayList<>();
          for (int i = from; i < to; i++) {
            items.add(ScriptedServer.configMap("m" + i, "1", "x".repeat(size)));
          }
          String list = ScriptedServer.listJson("9", items.toArray(String[]::new));
          answer.json(
              200,
              to == objects
                  ? list
                  : list.replace(
                      "\"resourceVersion\":\"9\"",
                      "\"resourceVersion\":\"9\",\"continue\":\"" + to + "\""));
        });
  }

  private static int number(Pattern pattern, String query) {
    Matcher matcher = pattern.matcher(query);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static List<Integer> limits(int objects, int size, int pageSize) {
    try (var server = server(objects, size);
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      var all =
          connection
              .api()
              .list(CoreTypes.CONFIG_MAP, ListOptions.all().withPageSize(pageSize))
              .items();
      assertThat(all)
          .extracting(map -> map.getMetadata().getName())
          .hasSize(objects)
          .startsWith("m0", "m1")
          .endsWith("m" + (objects - 1))
          .doesNotHaveDuplicates();
      return server.received().stream().map(r -> number(LIMIT, r.query())).toList();
    }
  }

  @Test
  void smallObjectsComeInPagesOfTheConfiguredSize() {
    assertThat(limits(1_100, 100, 500)).containsExactly(500, 500, 500);
  }

  @Test
  void largeObjectsComeInPagesOfAbout4Megabytes() {
    List<Integer> limits = limits(140, 100_000, 60);

    assertThat(limits.getFirst()).isEqualTo(60);
    assertThat(limits.subList(1, limits.size())).hasSize(2).allMatch(n -> n >= 40 && n <= 42);
  }

  @Test
  void hugeObjectsComeTenAtATime() {
    assertThat(limits(25, 1_000_000, 15)).containsExactly(15, 10);
  }

  @Test
  void aConfiguredSizeBelowTenIsKept() {
    assertThat(limits(9, 1_000_000, 3)).containsExactly(3, 3, 3);
  }

  @Test
  void theLimitRisesAgain() {
    PageLimit limit = new PageLimit(500);
    limit.after(new ListPage("1", "x", 10, 10 << 20));
    assertThat(limit.next()).isEqualTo(10);
    limit.after(new ListPage("1", "x", 10, 1 << 20));
    assertThat(limit.next()).isEqualTo(40);
    limit.after(new ListPage("1", "x", 0, 100));
    assertThat(limit.next()).isEqualTo(40);
    limit.after(new ListPage("1", "x", 10, 10_000));
    assertThat(limit.next()).isEqualTo(500);
  }
}
