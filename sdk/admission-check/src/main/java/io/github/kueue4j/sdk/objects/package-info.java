// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Other objects of the cluster, for a check that looks at more than its Workload. A check declares
 * what it watches with a {@link io.github.kueue4j.sdk.objects.Watch}, asks the cache that it is
 * given, a {@link io.github.kueue4j.sdk.objects.Watched}, and writes with a {@link
 * io.github.kueue4j.sdk.objects.ResourceClient}, whose refusals are the exceptions here; {@link
 * io.github.kueue4j.sdk.objects.PodWorkloads} finds the Workload of a pod. {@link
 * io.github.kueue4j.sdk.CheckController.Builder} gives all of them.
 */
@NullMarked
package io.github.kueue4j.sdk.objects;

import org.jspecify.annotations.NullMarked;
