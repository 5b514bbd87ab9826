// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** An embedded Kubernetes API server for the tests of any controller. */
@NullMarked
package io.github.kueue4j.apiserver;

import org.jspecify.annotations.NullMarked;
