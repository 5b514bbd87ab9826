// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** The project of a new check, as {@code new-check} writes it. */
@NullMarked
package io.github.kueue4j.cli.project;

import org.jspecify.annotations.NullMarked;
