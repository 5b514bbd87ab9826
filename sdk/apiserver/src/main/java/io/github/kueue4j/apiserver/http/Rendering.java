// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.Conversion;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.table.Tables;
import io.github.kueue4j.apiserver.tree.Trees;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Objects of one resource in the form that a client asked for. */
final class Rendering {
  private static final byte[] OPEN_BRACE = {'{'};

  private final ServedResource resource;
  private final MediaType mediaType;
  private final String includeObject;
  private final InstantSource clock;
  private final byte[] typePrefix;

  Rendering(
      ServedResource resource, MediaType mediaType, String includeObject, InstantSource clock) {
    this.resource = resource;
    this.mediaType = mediaType;
    this.includeObject = includeObject;
    this.clock = clock;
    this.typePrefix =
        ("{\"apiVersion\":\"" + resource.apiVersion() + "\",\"kind\":\"" + resource.kind() + "\",")
            .getBytes(StandardCharsets.UTF_8);
  }

  MediaType form() {
    return mediaType;
  }

  /** The object in the version that is served, which selectors look at. */
  ObjectNode served(StoredObject object) {
    return inVersion(object).tree();
  }

  private StoredObject inVersion(StoredObject object) {
    Conversion conversion = resource.conversion();
    if (!conversion.differs(object.tree())) {
      return object;
    }
    StoredObject known = object.form(conversion);
    return known == null ? object.keepForm(conversion, conversion.toServed(object.tree())) : known;
  }

  /** Converts many objects together, before they are rendered one by one. */
  void prepare(Collection<StoredObject> objects) {
    Conversion conversion = resource.conversion();
    if (conversion.isOfStorage()) {
      return;
    }
    List<StoredObject> missing =
        objects.stream()
            .filter(object -> conversion.differs(object.tree()) && object.form(conversion) == null)
            .toList();
    if (missing.isEmpty()) {
      return;
    }
    List<ObjectNode> served =
        conversion.toServed(missing.stream().map(StoredObject::tree).toList());
    for (int i = 0; i < missing.size(); i++) {
      StoredObject unused = missing.get(i).keepForm(conversion, served.get(i));
    }
  }

  byte[] one(StoredObject object) {
    return switch (mediaType) {
      case TABLE -> StoredObject.write(table(List.of(object), object.revision()));
      case METADATA -> StoredObject.write(metadata(object, "PartialObjectMetadata"));
      case OBJECT, AGGREGATED -> inVersion(object).json();
    };
  }

  /** An object inside a watch event: a table has its columns in the first event only. */
  byte[] event(StoredObject object, boolean first) {
    if (mediaType != MediaType.TABLE) {
      return one(object);
    }
    ObjectNode table = table(List.of(object), object.revision());
    if (!first) {
      table.putArray("columnDefinitions");
    }
    return StoredObject.write(table);
  }

  /** An object inside a list: those of built-in kinds don't repeat the list's version and kind. */
  byte[] item(StoredObject object) {
    byte[] json = one(object);
    if (mediaType != MediaType.OBJECT || resource.custom() || !startsWith(json, typePrefix)) {
      return json;
    }
    byte[] item = new byte[json.length - typePrefix.length + 1];
    item[0] = OPEN_BRACE[0];
    System.arraycopy(json, typePrefix.length, item, 1, item.length - 1);
    return item;
  }

  ObjectNode table(List<StoredObject> objects, long revision) {
    return Tables.table(
        resource,
        objects.stream().map(this::served).toList(),
        includeObject,
        clock.instant(),
        revision);
  }

  ObjectNode metadata(StoredObject object, String kind) {
    ObjectNode partial = Trees.empty();
    partial.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
    partial.set("metadata", Trees.metadata(object.tree()));
    return partial;
  }

  /** The kind of one object in this form, as bookmarks need it. */
  String kind() {
    return switch (mediaType) {
      case TABLE -> "Table";
      case METADATA -> "PartialObjectMetadata";
      case OBJECT, AGGREGATED -> resource.kind();
    };
  }

  String apiVersion() {
    return mediaType == MediaType.OBJECT ? resource.apiVersion() : "meta.k8s.io/v1";
  }

  String listKind() {
    return mediaType == MediaType.METADATA
        ? "PartialObjectMetadataList"
        : resource.names().listKind();
  }

  String listApiVersion() {
    return mediaType == MediaType.METADATA ? "meta.k8s.io/v1" : resource.apiVersion();
  }

  private static boolean startsWith(byte[] text, byte[] prefix) {
    return text.length > prefix.length
        && Arrays.equals(text, 0, prefix.length, prefix, 0, prefix.length);
  }
}
