// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The files of the page, from this jar. They hold no data, so that anyone may have them. */
final class PageFiles {
  private static final String FOLDER = "page/";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  /** The names of the files; only these are served. */
  private static final String[] NAMES = {
    "index.html",
    "page.css",
    "icon.svg",
    "main.js",
    "api.js",
    "address.js",
    "budgets.js",
    "dom.js",
    "format.js",
    "history.js",
    "live.js",
    "list.js",
    "quota.js",
    "strip.js",
    "detail.js",
    "views.js"
  };

  private final Map<String, PageFile> files = new HashMap<>();

  /** A file with its media type. */
  static final class PageFile {
    private final String type;
    private final byte[] content;
    private final String tag;

    PageFile(String type, byte[] content) {
      this.type = type;
      this.content = content;
      this.tag = '"' + digest(content) + '"';
    }

    private static String digest(byte[] content) {
      try {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    /** The ETag: another content has another one. */
    String tag() {
      return tag;
    }

    String type() {
      return type;
    }

    /** The content, which the caller must not change. */
    byte[] content() {
      return content;
    }
  }

  PageFiles() {
    for (String name : NAMES) {
      String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      if (type == null) {
        throw new IllegalStateException("no media type is known for the page's file " + name);
      }
      files.put("/" + name, new PageFile(type, read(name)));
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = PageFiles.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the page's file " + name + " is missing in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("can't read the page's file " + name, e);
    }
  }

  /** The file at a path; the page itself at {@code /}. */
  Optional<PageFile> at(String path) {
    return Optional.ofNullable(files.get(path.equals("/") ? "/index.html" : path));
  }
}
