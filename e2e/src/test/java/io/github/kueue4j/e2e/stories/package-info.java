// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * What users see of core and checks, told on any cluster in which Jobs get pods: the embedded API
 * server with simulated kubelets, k3s, or the cluster of a kubeconfig, into which the charts are
 * installed for it.
 */
@NullMarked
package io.github.kueue4j.e2e.stories;

import org.jspecify.annotations.NullMarked;
