// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import org.apiguardian.api.API;

/**
 * A node with room for equal pods.
 *
 * @param node its name
 * @param needs of each pod
 * @param count how many pods; above 0
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Place(String node, PodNeeds needs, int count) {}
