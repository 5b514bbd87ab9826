// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The discovery of the served kinds: discovery and OpenAPI. */
@NullMarked
package io.github.kueue4j.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
