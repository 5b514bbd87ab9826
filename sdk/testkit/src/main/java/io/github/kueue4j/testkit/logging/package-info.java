// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** What tests log that bring no configuration of their own. */
@NullMarked
package io.github.kueue4j.testkit.logging;

import org.jspecify.annotations.NullMarked;
