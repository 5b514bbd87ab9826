// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

/**
 * An object that the server sent and that can't be read.
 *
 * @param identity what could be found out about it
 * @param cause why it can't be read; the message names the field if that is known
 */
record UnreadableObject(ObjectIdentity identity, Throwable cause) {}
