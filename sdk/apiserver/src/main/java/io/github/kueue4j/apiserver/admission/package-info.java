// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Admission webhooks and policies, which may change or refuse a write before it is stored. */
@NullMarked
package io.github.kueue4j.apiserver.admission;

import org.jspecify.annotations.NullMarked;
