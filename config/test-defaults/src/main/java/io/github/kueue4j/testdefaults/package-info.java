// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * How the tests of every module run, and the Prometheus servers that several of them ask. On their
 * class path only, never published.
 */
@NullMarked
package io.github.kueue4j.testdefaults;

import org.jspecify.annotations.NullMarked;
