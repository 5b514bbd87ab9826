// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** A small JSON client for any API server, by which the testkit itself acts on one. */
@NullMarked
package io.github.kueue4j.testkit.client;

import org.jspecify.annotations.NullMarked;
