// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The demo: examples applied to a fresh cluster, followed through the API until everything
 * finished.
 */
@NullMarked
package io.github.kueue4j.e2e.demo;

import org.jspecify.annotations.NullMarked;
