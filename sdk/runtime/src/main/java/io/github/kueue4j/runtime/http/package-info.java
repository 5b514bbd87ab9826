// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The common parts of a program's servers: the {@link HttpAddress} to listen on, {@link
 * RequestThreads} that no slow client can use up, and a {@link RequestAuthorizer} that asks the API
 * server who may read what. The host of controllers serves probes and metrics with these; the
 * webhooks and the page of the core, and checks that are asked in advance, serve with them too.
 */
@NullMarked
package io.github.kueue4j.runtime.http;

import org.jspecify.annotations.NullMarked;
