// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.ObjectOperations;
import io.github.kueue4j.apiserver.selectors.FieldSelector;
import io.github.kueue4j.apiserver.selectors.LabelSelector;
import io.github.kueue4j.apiserver.selectors.Selector;
import io.github.kueue4j.apiserver.selectors.SelectorSyntaxException;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Key;
import io.github.kueue4j.apiserver.store.KindStore;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Answers get and list. */
final class ReadHandler {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WRITE_BUFFER = 128 * 1024;

  private final ObjectStore store;
  private final ObjectOperations objects;
  private final InstantSource clock;

  ReadHandler(ObjectStore store, ObjectOperations objects, InstantSource clock) {
    this.store = store;
    this.objects = objects;
    this.clock = clock;
  }

  void get(Exchange exchange, ServedResource resource, Key key) throws IOException {
    MediaType mediaType = exchange.form();
    checkNotAhead(exchange.query().text("resourceVersion"));
    StoredObject object = objects.get(resource, key);
    Rendering rendering = rendering(exchange, resource, mediaType);
    exchange.answer(200, mediaType.contentType(), rendering.one(object));
  }

  Rendering rendering(Exchange exchange, ServedResource resource, MediaType mediaType) {
    return new Rendering(resource, mediaType, exchange.query().text("includeObject"), clock);
  }

  void list(Exchange exchange, ServedResource resource) throws IOException {
    Rendering rendering = rendering(exchange, resource, exchange.form());
    Selector selector = selector(exchange, resource);
    Page page = page(exchange, resource, selector, rendering);
    rendering.prepare(page.objects);
    if (rendering.form() == MediaType.TABLE) {
      ObjectNode table = rendering.table(page.objects, page.revision);
      ObjectNode metadata = (ObjectNode) table.get("metadata");
      page.describe(metadata);
      exchange.answer(200, table);
      return;
    }
    ObjectNode metadata = Trees.empty();
    metadata.put("resourceVersion", Long.toString(page.revision));
    page.describe(metadata);
    try (OutputStream out =
        new BufferedOutputStream(exchange.stream(200, "application/json"), WRITE_BUFFER)) {
      out.write(
          "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
              .formatted(rendering.listKind(), rendering.listApiVersion(), metadata)
              .getBytes(StandardCharsets.UTF_8));
      boolean first = true;
      for (StoredObject object : page.objects) {
        if (!first) {
          out.write(',');
        }
        first = false;
        out.write(rendering.item(object));
      }
      out.write("]}\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The selection of a request by its label and field selectors. */
  static Selector selector(Exchange exchange, ServedResource resource) {
    try {
      Selector labels = LabelSelector.parse(exchange.query().text("labelSelector"));
      FieldSelector fields =
          FieldSelector.parse(
              exchange.query().text("fieldSelector"),
              resource.selectableFields(),
              resource.custom());
      return labels.and(fields.selector());
    } catch (SelectorSyntaxException e) {
      throw ApiErrors.badRequest(e.text());
    }
  }

  private record Page(
      List<StoredObject> objects, long revision, String continuation, long remaining) {

    void describe(ObjectNode metadata) {
      if (!continuation.isEmpty()) {
        metadata.put("continue", continuation);
      }
      if (remaining > 0) {
        metadata.put("remainingItemCount", remaining);
      }
    }
  }

  private Page page(
      Exchange exchange, ServedResource resource, Selector selector, Rendering rendering) {
    Query query = exchange.query();
    KindStore kind = objects.storeOf(resource);
    String namespace = exchange.api().namespace();
    String continuation = query.text("continue");
    KindStore.Snapshot snapshot;
    Key start = new Key("", "");
    if (continuation.isEmpty()) {
      snapshot = snapshot(kind, namespace, query);
    } else {
      if (!query.text("resourceVersion").isEmpty() && !query.text("resourceVersion").equals("0")) {
        throw ApiErrors.badRequest(
            "specifying resource version is not allowed when using continue");
      }
      ContinueToken continueToken = ContinueToken.read(continuation);
      start = continueToken.start();
      snapshot =
          kind.snapshotAt(namespace, continueToken.revision())
              .orElseThrow(
                  () ->
                      ApiErrors.expired(
                          "The provided continue parameter is too old to display a consistent list"
                              + " result. You can start a new list without the continue parameter."));
    }
    long limit = query.number("limit", 0);
    List<StoredObject> selected = new ArrayList<>();
    long remaining = 0;
    if (selector != Selector.ALL) {
      rendering.prepare(snapshot.objects());
    }
    for (StoredObject object : snapshot.objects()) {
      if (object.key().compareTo(start) < 0) {
        continue;
      }
      if (limit > 0 && selected.size() == limit) {
        // Whether it is selected shows on the next page, which may be empty, as on a real server.
        remaining++;
      } else if (selector == Selector.ALL || selector.selects(rendering.served(object))) {
        selected.add(object);
      }
    }
    String next =
        remaining == 0
            ? ""
            : ContinueToken.write(snapshot.revision(), selected.get(selected.size() - 1).key());
    // With a selector the real server doesn't know how many objects are left.
    return new Page(selected, snapshot.revision(), next, selector == Selector.ALL ? remaining : 0);
  }

  private KindStore.Snapshot snapshot(KindStore kind, String namespace, Query query) {
    String revision = query.text("resourceVersion");
    String match = query.text("resourceVersionMatch");
    if (!match.isEmpty() && revision.isEmpty()) {
      throw ApiErrors.badRequest(
          "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    checkNotAhead(revision);
    if (match.equals("Exact")) {
      long exact = revision(revision);
      return kind.snapshotAt(namespace, exact)
          .orElseThrow(
              () -> ApiErrors.expired("The resourceVersion for the provided list is too old."));
    }
    if (!match.isEmpty() && !match.equals("NotOlderThan")) {
      throw ApiErrors.badRequest("resourceVersionMatch: Unsupported value: \"" + match + "\"");
    }
    return kind.snapshot(namespace);
  }

  /** Refuses a resourceVersion that this server hasn't reached. */
  void checkNotAhead(String revision) {
    if (revision.isEmpty()) {
      return;
    }
    long wanted = revision(revision);
    long current = store.revision();
    if (wanted > current) {
      throw ApiErrors.tooLargeRevision(wanted, current);
    }
  }

  static long revision(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw ApiErrors.badRequest(
          "Invalid value: \"" + text + "\": strconv.ParseUint: invalid syntax");
    }
    return Long.parseLong(text);
  }

  /** The continue parameter: the revision of the first page and where the next one starts. */
  private record ContinueToken(long revision, Key start) {

    static String write(long revision, Key last) {
      ObjectNode token = Trees.empty();
      token.put("v", "meta.k8s.io/v1").put("rv", revision);
      // The smallest key after the last one.
      token.put("ns", last.namespace()).put("start", last.name() + '\0');
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
    }

    static ContinueToken read(String text) {
      try {
        JsonNode token = JSON.readTree(Base64.getUrlDecoder().decode(text));
        if (token != null && token.hasNonNull("rv") && token.hasNonNull("start")) {
          return new ContinueToken(
              token.path("rv").asLong(),
              new Key(Trees.text(token, "ns"), Trees.text(token, "start")));
        }
        throw invalid("no position in it");
      } catch (IllegalArgumentException | IOException e) {
        throw invalid(String.valueOf(e.getMessage()));
      }
    }

    private static ApiException invalid(String why) {
      return ApiErrors.badRequest("continue key is not valid: " + why);
    }
  }
}
