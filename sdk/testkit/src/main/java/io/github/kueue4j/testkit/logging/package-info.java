// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The logging of tests that bring no configuration of their own. */
@NullMarked
package io.github.kueue4j.testkit.logging;

import org.jspecify.annotations.NullMarked;
