// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

/**
 * Leader election: one of several replicas leads. A program names its Lease in a {@link
 * LeaderElection} and gives that to the host of its controllers, which competes for it and ends
 * when it is lost; {@code LeaseGuard} of the connection holds back writes that would be late.
 */
@NullMarked
package io.github.kueue4j.runtime.lease;

import org.jspecify.annotations.NullMarked;
