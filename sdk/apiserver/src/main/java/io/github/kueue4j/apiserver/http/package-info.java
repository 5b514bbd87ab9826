// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The API over HTTP: request parsing, verbs, content negotiation, watch streams. */
@NullMarked
package io.github.kueue4j.apiserver.http;

import org.jspecify.annotations.NullMarked;
