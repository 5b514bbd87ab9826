// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

/**
 * The number of objects to ask for in the next page of a list, so that a page has about 4 MB
 * whatever the size of the objects.
 */
final class PageLimit {

  static final long BYTES = 4 << 20;

  /** Fewer would make a list of large objects take too many requests. */
  static final int LEAST = 10;

  private final int most;
  private int next;

  /**
   * A limit for the pages of one list.
   *
   * @param most the configured page size, with which the list begins
   */
  PageLimit(int most) {
    this.most = most;
    this.next = most;
  }

  int next() {
    return next;
  }

  /** Adapts the limit to the size of the objects of a page. */
  void after(ListPage page) {
    if (page.items() > 0) {
      long fitting = BYTES * page.items() / Math.max(1, page.bytes());
      next = (int) Math.min(most, Math.max(LEAST, fitting));
    }
  }
}
