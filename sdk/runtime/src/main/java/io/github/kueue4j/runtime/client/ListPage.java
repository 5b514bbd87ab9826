// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1ListMeta;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list without its items, which are handed over one by one while the page arrives.
 *
 * @param resourceVersion the version of the list
 * @param next the token of the next page; empty on the last one
 * @param items how many objects it contained
 * @param bytes its size
 */
record ListPage(String resourceVersion, String next, int items, long bytes) {

  /**
   * Reads a page.
   *
   * @param item gets each object's JSON
   * @throws com.google.gson.stream.MalformedJsonException if the response isn't a JSON object
   * @throws com.google.gson.JsonParseException if the metadata of the list can't be read
   */
  static ListPage read(InputStream response, JsonSplitter.Element item) throws IOException {
    var page =
        new Object() {
          int items;
          V1ListMeta metadata = new V1ListMeta();
        };
    var splitter = new JsonSplitter(response);
    splitter.members(
        name -> {
          if (name.equals("items") && splitter.peek() == '[') {
            splitter.elements(
                json -> {
                  page.items++;
                  item.take(json);
                });
          } else if (name.equals("metadata") && splitter.peek() == '{') {
            page.metadata =
                KueueJson.fromServer(JsonSplitter.text(splitter.value()), V1ListMeta.class);
          } else {
            splitter.value();
          }
        });
    splitter.end();
    return new ListPage(
        text(page.metadata.getResourceVersion()),
        text(page.metadata.getContinue()),
        page.items,
        splitter.bytes());
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
