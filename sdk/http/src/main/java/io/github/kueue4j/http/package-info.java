// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * For checks that ask a server over HTTP: an {@link io.github.kueue4j.http.HttpEndpoint} stands in
 * the check's parameters, its credentials in Secrets of the controller's own namespace, and {@link
 * io.github.kueue4j.http.HttpBackends} sends requests to it within limits.
 *
 * <p>What a server, or the author of an endpoint, can do is bounded:
 *
 * <ul>
 *   <li>an answer is read up to a size and until a deadline that covers connecting, sending and
 *       reading together; no redirect is followed; nothing is decompressed. The look-up of a name
 *       counts, but isn't interrupted when the deadline is over: the system's resolver limits it;
 *   <li>the address of every connection is judged by {@link io.github.kueue4j.http.AddressRules} at
 *       the moment it is opened, whatever a name resolved to before;
 *   <li>no proxy is used, whatever the environment says: it would connect in the controller's
 *       place, where no rule holds;
 *   <li>a Secret is read in the controller's own namespace only, and a file only where the operator
 *       allows files.
 * </ul>
 *
 * <p>An answer is a value, {@link io.github.kueue4j.http.HttpAnswer}. What keeps a server from
 * answering is a {@link io.github.kueue4j.http.EndpointUnavailableException}, which the circuit
 * breaker of the check counts.
 */
@NullMarked
package io.github.kueue4j.http;

import org.jspecify.annotations.NullMarked;
