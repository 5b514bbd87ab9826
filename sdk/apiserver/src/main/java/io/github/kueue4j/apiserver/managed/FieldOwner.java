// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.managed;

import org.apiguardian.api.API;

/**
 * The writer of an object, as the ownership of fields distinguishes writers.
 *
 * @param manager the field manager's name; empty for the server itself, which owns nothing
 * @param apiVersion in which it writes
 * @param subresource through which it writes, empty for the object's own endpoint
 */
@API(status = API.Status.INTERNAL)
public record FieldOwner(String manager, String apiVersion, String subresource) {}
