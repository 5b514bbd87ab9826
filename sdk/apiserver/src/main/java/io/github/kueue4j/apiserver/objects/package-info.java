// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** What the API's verbs do to stored objects. */
@NullMarked
package io.github.kueue4j.apiserver.objects;

import org.jspecify.annotations.NullMarked;
