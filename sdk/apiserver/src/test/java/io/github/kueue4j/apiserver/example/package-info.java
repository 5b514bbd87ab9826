// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/** What the module's README shows. */
@NullMarked
package io.github.kueue4j.apiserver.example;

import org.jspecify.annotations.NullMarked;
