// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Clusters that scenarios run on: the embedded API server, kube-apiserver binaries, k3s. */
@NullMarked
package io.github.kueue4j.e2e.cluster;

import org.jspecify.annotations.NullMarked;
