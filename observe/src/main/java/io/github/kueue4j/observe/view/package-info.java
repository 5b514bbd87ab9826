// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The view: a read-only web page of queues and Workloads, and the JSON that it shows.
 *
 * <p>It reads snapshots of the State and the informers' caches, never the books themselves. Nothing
 * that decides depends on it (see docs/adr/0016-the-view.md).
 */
@NullMarked
package io.github.kueue4j.observe.view;

import org.jspecify.annotations.NullMarked;
