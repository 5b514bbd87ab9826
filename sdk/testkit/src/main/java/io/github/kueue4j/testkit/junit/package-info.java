// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The testkit as an extension of JUnit 5. */
@NullMarked
package io.github.kueue4j.testkit.junit;

import org.jspecify.annotations.NullMarked;
