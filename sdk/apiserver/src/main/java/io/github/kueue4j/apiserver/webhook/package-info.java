// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Calls of webhooks: their addresses, connections and certificates. */
@NullMarked
package io.github.kueue4j.apiserver.webhook;

import org.jspecify.annotations.NullMarked;
