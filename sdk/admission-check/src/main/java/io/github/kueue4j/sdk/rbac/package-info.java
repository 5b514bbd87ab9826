// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
/**
 * The RBAC permissions that a check controller needs on the API server, and no others; {@link
 * io.github.kueue4j.sdk.rbac.MissingRightsException} is thrown at the start when the account lacks
 * some.
 */
@NullMarked
package io.github.kueue4j.sdk.rbac;

import org.jspecify.annotations.NullMarked;
