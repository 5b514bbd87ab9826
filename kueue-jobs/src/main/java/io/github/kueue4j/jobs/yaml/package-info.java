// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Strict reading of YAML that names the line of what it refuses. */
@NullMarked
package io.github.kueue4j.jobs.yaml;

import org.jspecify.annotations.NullMarked;
