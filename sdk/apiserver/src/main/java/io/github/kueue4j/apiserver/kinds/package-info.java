// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** The served kinds, and how they are stored, defaulted, validated and converted. */
@NullMarked
package io.github.kueue4j.apiserver.kinds;

import org.jspecify.annotations.NullMarked;
