// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Manifests that a run starts with. */
@NullMarked
package io.github.kueue4j.e2e.objects;

import org.jspecify.annotations.NullMarked;
