// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * The conformance kit: brings a check controller, in whatever language it is written, into the
 * situations that matter, over the API alone, and tells which rules it breaks.
 */
@NullMarked
package io.github.kueue4j.testkit.conformance;

import org.jspecify.annotations.NullMarked;
