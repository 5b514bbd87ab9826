// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The way to the API server. A program opens one {@link ClusterConnection} (kubeconfig, service
 * account or URL, with credentials that are renewed) and reads and writes by its {@link
 * KubernetesApi}, whose errors are {@link KubernetesApiException}s that name the request; it tells
 * users by an {@link EventRecorder}, and refuses its own writes by a {@link LeaseGuard} once it may
 * lead no longer. Informers, leases and the host of controllers are built on it; how lists and
 * watches are read, object by object, so that one that can't be read stops no other, is behind it.
 */
@NullMarked
package io.github.kueue4j.runtime.client;

import org.jspecify.annotations.NullMarked;
