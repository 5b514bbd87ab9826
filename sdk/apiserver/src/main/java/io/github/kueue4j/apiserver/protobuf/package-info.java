// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/** Kubernetes' protobuf request bodies, turned into the API's JSON form. */
@NullMarked
package io.github.kueue4j.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
