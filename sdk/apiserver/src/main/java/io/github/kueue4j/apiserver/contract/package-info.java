// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * One script of requests that every Kubernetes API server answers alike, the embedded one included.
 */
@NullMarked
package io.github.kueue4j.apiserver.contract;

import org.jspecify.annotations.NullMarked;
